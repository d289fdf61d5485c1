"""All commands of ``peck``; ``peck completion``, which prints shell completions generated from the parser."""

import argparse
import sys
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Final

from games.catalogue import FIRST, GAMES
from games.version import VERSION
from peck import (
    USAGE,
    account,
    bot_commands,
    check,
    climb,
    compete,
    dataset,
    drill,
    follow,
    gate,
    groups,
    listings,
    luck,
    mcp_server,
    new_game,
    play,
    project,
    replay,
    rules,
    tune,
    verify,
    watch,
)
from peck.cli import Commands, cli_complain, cli_run
from peck.parsing import CommandParser, HelpWithDefaults, OverviewParser

SHELLS: Final = ("bash", "zsh", "fish")
_BASH: Final = """_peck() {{
  local now="${{COMP_WORDS[COMP_CWORD]}}" words=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=( $(compgen -W "{commands}" -- "$now") )
    return
  fi
  case "${{COMP_WORDS[1]}}" in
{cases}
  esac
  COMPREPLY=( $(compgen -W "$words" -- "$now") )
}}
complete -o default -F _peck peck
"""
_ZSH: Final = "autoload -U +X compinit && compinit -u\nautoload -U +X bashcompinit && bashcompinit\n"


def commands_run(argv: Sequence[str] | None) -> int:
    """Run the command that ``argv`` names. Return its exit code, see docs/reference/peck.md."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] == ["help"]:  # as in git, gh and uv
        words = [*words[1:2], "--help"]
    if words and not words[0].startswith("-") and words[0] not in EXAMPLES:
        close = "".join(f": did you mean {one}?" for one in get_close_matches(words[0], ["help", *EXAMPLES], 1))
        cli_complain(f"peck has no command {words[0]!r}{close or '; peck help lists them'}")
        return USAGE
    return cli_run(_parser(), words or ["--help"])


def _parser() -> OverviewParser:
    parser = OverviewParser(prog="peck", description="Write bots for Pecking Order, play them here and on a site.")
    parser.groups = GROUPS
    parser.add_argument("--version", "-V", action="version", version=f"peck {VERSION}")
    commands: Any = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=CommandParser)
    for add in COMMANDS:
        add(commands)
    summaries = {one.dest: one.help for one in commands._choices_actions}
    for name, one in commands.choices.items():
        one.formatter_class, one.description = HelpWithDefaults, one.description or summaries[name]
        one.example = EXAMPLES[name]
        one.epilog = f"example: peck {one.example}"
    return parser


def commands_add_completion(commands: Commands) -> None:
    """Add ``completion`` to ``commands``. Its script includes all commands, also those added later."""
    completion = commands.add_parser("completion", help="print completion for your shell")
    completion.add_argument(
        "shell",
        choices=SHELLS,
        help="your shell; run eval on the output, or save it where the shell looks for completions",
    )
    completion.set_defaults(run=lambda given: _run(given.shell, commands))


def _completion_script(shell: str, commands: Mapping[str, argparse.ArgumentParser]) -> str:
    """Return the script for ``shell``."""
    if shell == "fish":
        return "\n".join(_fish(commands)) + "\n"
    cases = "\n".join(f'    {name}) words="{" ".join(_words(parser))}" ;;' for name, parser in commands.items())
    bash = _BASH.format(commands=" ".join(commands), cases=cases)
    return _ZSH + bash if shell == "zsh" else bash


def _run(shell: str, commands: Commands) -> int:
    print(_completion_script(shell, commands.choices), end="")
    return 0


def _fish(commands: Mapping[str, argparse.ArgumentParser]) -> list[str]:
    lines = [f'complete -c peck -n __fish_use_subcommand -f -a "{" ".join(commands)}"']
    for name, parser in commands.items():
        seen = f'-n "__fish_seen_subcommand_from {name}"'
        for word in _words(parser):
            kind = (
                f"-l {word[2:]}"
                if word.startswith("--")
                else f"-s {word[1:]}"
                if word.startswith("-")
                else f"-a {word}"
            )
            lines.append(f"complete -c peck {seen} {kind}")
    return lines


def _words(parser: argparse.ArgumentParser) -> list[str]:
    """Return the options of a command, its choices, and the names of games if it has a game argument."""
    words: list[str] = []
    for action in parser._actions:
        words += action.option_strings
        if not action.option_strings:
            words += map(str, action.choices or ())
            words += GAMES if action.dest == "game" else ()
    return words


COMMANDS: Final = (
    verify.commands_add,
    project.command_add,
    new_game.command_add,
    play.command_add,
    gate.command_add,
    climb.command_add,
    check.command_add,
    replay.command_add,
    watch.command_add,
    commands_add_completion,
    account.command_add,
    bot_commands.commands_add,
    listings.commands_add,
    groups.command_add,
    follow.commands_add,
    compete.commands_add,
    dataset.command_add,
    luck.command_add,
    drill.commands_add,
    tune.command_add,
    rules.command_add,
    mcp_server.command_add,
)

GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "Write a bot": ("rules", "new", "play", "gate", "climb", "drill-make", "drill", "tune", "check", "watch", "mcp"),
    "On a site": (
        *("login", "status", "create", "upload", "download", "versions", "rollback", "spar", "challenge"),
        *("leagues", "ladder", "head-to-head", "join", "leave"),
        *("tournaments", "standings", "enter", "withdraw", "groups"),
        *("follow", "unfollow", "following"),
    ),
    "Understand games": ("results", "logs", "failure", "replay", "luck"),
    "Make a game": ("new-game",),
    "Check records": ("dataset", "verify", "vectors"),
    "Your shell": ("completion",),
}
# Commands without --json, with the reason; all others have it.
NO_JSON: Final[Mapping[str, str]] = {
    **dict.fromkeys(("rules", "completion"), "prints a text that is used as it is; rules --schema is JSON"),
    **dict.fromkeys(("new", "new-game", "watch", "login"), "makes something, and its exit code says whether"),
    **dict.fromkeys(
        ("join", "leave", "enter", "withdraw", "rollback", "unfollow"),
        "changes something, and its exit code says whether",
    ),
    "replay": "shows an answer to its author; the exit code says whether it is the same",
    "mcp": "speaks a protocol of its own",
}
EXAMPLES: Final[Mapping[str, str]] = {
    "rules": f"rules {FIRST}",
    "mcp": "mcp --folder bots",
    "new": f"new {FIRST} my-bot",
    "new-game": "new-game pass_the_pigs --title 'Pass the Pigs'",
    "play": f"play {FIRST} my-bot other-bot --blocks 50",
    "gate": f"gate {FIRST} old.py new.py --in-process",
    "climb": "climb my-bot --from fat-crow --in-process",
    "drill-make": "drill-make run --bot my-bot -o drill.jsonl",
    "drill": "drill my-bot drill.jsonl",
    "tune": f"tune {FIRST} my-bot --steps 200 --gate",
    "check": "check my-bot",
    "watch": "watch game-1.1.peck",
    "login": "login https://pecking.example.org",
    "status": "status",
    "create": f"create early-bird {FIRST}",
    "upload": "upload early-bird my-bot -m 'rolls once more when behind'",
    "download": "download early-bird -o old.py",
    "versions": "versions early-bird",
    "rollback": "rollback early-bird 3",
    "leagues": "leagues",
    "groups": "groups class-10b",
    "follow": "follow bot their-bot",
    "unfollow": "unfollow bot their-bot",
    "following": "following",
    "ladder": "ladder yard-ladder",
    "head-to-head": "head-to-head yard-ladder early-bird wise-owl",
    "tournaments": "tournaments --json",
    "standings": "standings friday-cup",
    "challenge": "challenge early-bird their-bot",
    "spar": "spar early-bird wise-owl --players 2",
    "join": "join yard-ladder early-bird",
    "leave": "leave yard-ladder early-bird",
    "enter": "enter friday-cup early-bird",
    "withdraw": "withdraw friday-cup early-bird",
    "results": "results early-bird --most 20",
    "logs": "logs early-bird --grep error",
    "failure": "failure early-bird",
    "replay": "replay failure.zip my-bot --debug",
    "luck": "luck game-1.1.peck",
    "dataset": "dataset friday-cup",
    "verify": "verify friday-cup.zip",
    "vectors": f"vectors {FIRST}.json",
    "completion": "completion bash >> ~/.bash_completion",
}
