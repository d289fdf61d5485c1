"""``peck completion``: what a shell needs to complete the commands of ``peck``, from the parser itself."""

import argparse
from collections.abc import Mapping
from typing import Final

from games.catalogue import GAMES
from peck.cli import Commands

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


def command_add(commands: Commands) -> None:
    """Add the command to the parser of ``peck``; it tells of every command that is added, before it or later."""
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
