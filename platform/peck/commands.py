"""All commands of ``peck``, and ``peck completion``: what a shell needs to complete them, from the parser itself."""

import argparse
from collections.abc import Mapping, Sequence
from typing import Final

from games.catalogue import GAMES
from peck import account, bot_commands, check, compete, gate, luck, new, play, replay, verify, watch
from peck.cli import Commands, run

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


def run_peck(argv: Sequence[str] | None) -> int:
    """Run the command that ``argv`` names. Return its exit code, see docs/reference/peck.md."""
    parser = argparse.ArgumentParser(prog="peck", description="The engine of Pecking Order from the command line.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for add in COMMANDS:
        add(commands)
    return run(parser, argv)


def completion_add(commands: Commands) -> None:
    """Add ``completion`` to ``commands``. Its script knows all commands, including those added later."""
    completion = commands.add_parser("completion", help="what a shell needs to complete all this")
    completion.add_argument("shell", choices=SHELLS, help="eval the output, or keep it where your shell looks")
    completion.set_defaults(run=lambda given: _run(given.shell, commands))


def script(shell: str, commands: Mapping[str, argparse.ArgumentParser]) -> str:
    """Return the script for ``shell``."""
    if shell == "fish":
        return "\n".join(_fish(commands)) + "\n"
    cases = "\n".join(f'    {name}) words="{" ".join(_words(parser))}" ;;' for name, parser in commands.items())
    bash = _BASH.format(commands=" ".join(commands), cases=cases)
    return _ZSH + bash if shell == "zsh" else bash


def _run(shell: str, commands: Commands) -> int:
    print(script(shell, commands.choices), end="")
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
    """Return the options of a command, its choices, and the games where it takes one."""
    words: list[str] = []
    for action in parser._actions:
        words += action.option_strings
        if not action.option_strings:
            words += map(str, action.choices or ())
            words += GAMES if action.dest == "game" else ()
    return words


COMMANDS: Final = (
    verify.commands_add,
    new.command_add,
    play.command_add,
    gate.command_add,
    check.command_add,
    replay.command_add,
    watch.command_add,
    completion_add,
    account.command_add,
    bot_commands.commands_add,
    compete.commands_add,
    luck.command_add,
)
