"""Argument parsing of ``peck``: options in any place, help grouped by purpose, and errors with suggestions."""

import argparse
import sys
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Final, NoReturn

from peck import USAGE

CLOSE: Final = 0.6  # minimum of difflib's ratio


class CommandParser(argparse.ArgumentParser):
    """The parser of a command. Its options may stand between its other arguments, even if some of these are omitted.
    argparse alone does not allow this before Python 3.13: it counts optional arguments that follow an option as
    omitted.
    """

    example = ""
    _is_within = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse ``args`` in two passes, options first, if ``argparse`` supports it."""
        positionals = self._get_positional_actions()
        grouped = [one for group in self._mutually_exclusive_groups for one in group._group_actions]
        if self._is_within or any(one in grouped for one in positionals):
            return super().parse_known_args(args, namespace)
        self._is_within = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._is_within = False

    def error(self, message: str) -> NoReturn:
        """Print the error, the usage of the command, and an example."""
        self.print_usage(sys.stderr)
        example = f"\nexample: peck {self.example}" if self.example else ""
        self.exit(USAGE, f"{self.prog}: error: {message}{example}\n")

    def suggested(self, rest: Sequence[str]) -> str:
        """Return an error message for unknown arguments, with the closest known options."""
        known = list(self._option_string_actions)
        typed = [one.partition("=")[0] for one in rest if one.startswith("-")]
        close = [found for one in typed for found in get_close_matches(one, known, 1, CLOSE)]
        suggestion = f": did you mean {' and '.join(close)}?" if close else ""
        return f"unrecognized arguments: {' '.join(rest)}{suggestion}"


class OverviewParser(argparse.ArgumentParser):
    """The parser of ``peck`` itself. Its help groups the commands by purpose."""

    groups: Mapping[str, tuple[str, ...]] = {}

    @property
    def commands(self) -> Any:
        """The action with the commands."""
        [found] = (one for one in self._actions if isinstance(one, argparse._SubParsersAction))
        return found

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the words of a command line."""
        given, rest = self.parse_known_args(args, namespace)
        if rest:
            command = self.commands.choices[args[0]]
            command.error(command.suggested(rest))
        return given

    def format_help(self) -> str:
        """Return the commands in groups, one line each."""
        summaries = {one.dest: one.help or "" for one in self.commands._choices_actions}
        width = max(map(len, summaries))
        lines = [f"{self.description}\n\nusage: peck COMMAND ...\n"]
        for group, names in self.groups.items():
            lines += [f"{group}:", *(f"  {name.ljust(width)}  {summaries[name]}" for name in names), ""]
        lines += [
            "The site is that of peck login, or of PECK_SITE with PECK_TOKEN.",
            "peck help COMMAND says what a command takes. peck --version prints the version.\n",
        ]
        return "\n".join(lines)


class HelpWithDefaults(argparse.ArgumentDefaultsHelpFormatter):
    """Help that ends with the default, if there is a relevant one."""

    def _get_help_string(self, action: argparse.Action) -> str | None:
        return super()._get_help_string(action) if action.default else action.help
