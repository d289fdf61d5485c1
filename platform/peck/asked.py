"""What the commands that play have in common: their arguments, the bots and limits that these name, the exit codes."""

import argparse
import math
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

from games.catalogue import GAMES, UnknownRuleset, find_or_current
from games.protocol import LimitError, Limits
from games.ruleset import OptionError, SeatError
from matches.referee import StoppingError
from peck.bots import NoBotError, home_bots
from peck.cli import complain, options_of
from peck.exit_codes import FAULT as FAULT
from peck.exit_codes import INTERRUPTED as INTERRUPTED
from peck.exit_codes import NOT_SO as NOT_SO
from peck.exit_codes import OK as OK
from peck.exit_codes import SITE as SITE
from peck.exit_codes import USAGE as USAGE
from peck.playing import Series

WRONG: Final = (UnknownRuleset, OptionError, SeatError, NoBotError, LimitError, StoppingError)


def add_series(parser: argparse.ArgumentParser, name: str, count: Any, description: str) -> None:
    """Add the arguments that say what is played."""
    parser.add_argument("game", help=", ".join(GAMES))
    parser.add_argument("bots", nargs=count, type=Path, metavar=name, help=description)
    parser.add_argument("--seed", default="peck", help="any text; the same text gives the same games")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="of the game")
    add_limits(parser)
    add_caged(parser)
    parser.add_argument("--json", action="store_true", help="the result for programs")


def add_caged(parser: argparse.ArgumentParser) -> None:
    """Add the argument for the site's cage."""
    parser.add_argument("--caged", action="store_true", help="in the site's own cage: Linux, from a checkout")


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Add the argument for limits other than the site's."""
    parser.add_argument("--limit", action="append", default=[], metavar="NAME=VALUE", help="such as act_cpu=0.5")


@contextmanager
def series_of(given: argparse.Namespace) -> Iterator[Series | None]:
    """Yield what the call asks for; None, and the reason on standard error, if it makes no sense."""
    with ExitStack() as stack:
        series = None
        try:
            ruleset = find_or_current(given.game)
            options = options_of(ruleset, given.option)
            ruleset.validate(len(given.bots), options)
            bots = tuple(stack.enter_context(home_bots(given.bots)))
            series = Series(
                ruleset.id, options, limits_of(given.limit), given.seed.encode() or b"peck", bots, given.caged
            )
        except WRONG as error:
            complain(error)
        yield series


def limits_of(pairs: Sequence[str]) -> Limits:
    """Return the site's limits but for those that are given.

    Raises:
        LimitError: one that does not exist, or a value it does not allow.
    """
    limits: dict[str, Any] = {}
    for pair in pairs:
        name, _, text = pair.partition("=")
        try:
            limits[name] = float(text) if "." in text or name.endswith(("cpu", "wall")) else int(text)
        except ValueError:
            raise LimitError(name, text, "a number") from None
    return Limits.from_dict(limits)


def finite(value: Any) -> Any:
    """Return what JSON says of a value that it does not know."""
    return None if isinstance(value, float) and not math.isfinite(value) else str(value)
