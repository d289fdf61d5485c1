"""A series of games at home: the arguments that say what is played, and its blocks, one or several at a time."""

import argparse
import math
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.queues import SimpleQueue
from pathlib import Path
from typing import Any, Final

from games.catalogue import GAMES, UnknownRuleset, find, find_or_current
from games.protocol import LimitError, Limits
from games.ruleset import OptionError, Ruleset, SeatError
from matches.referee import GameResult, StoppingError
from matches.referee.series import MatchSpec, game_played
from peck.bots import HomeBot, NoBotError, home_bots
from peck.cage import HomeCage
from peck.cli import complain
from peck.processes import cores, stay_on
from peck.site_cage import CagedHome, home_cage, open_cage

USAGE_ERRORS: Final = (UnknownRuleset, OptionError, SeatError, NoBotError, LimitError, StoppingError)


@dataclass(frozen=True, slots=True)
class Played:
    """The games of one block; ``times``: CPU seconds of every action, ``beside``: files beside it a bot imported."""

    block: int
    games: tuple[GameResult, ...]
    times: Mapping[str, list[float]]
    beside: Mapping[str, list[str]]


@dataclass(frozen=True, slots=True)
class Series:
    """What is played: see ``MatchSpec``; a bot that fails is started again for the next game."""

    ruleset: str
    options: Mapping[str, Any]
    limits: Limits
    secret: bytes
    bots: tuple[HomeBot, ...]
    caged: bool = False

    def spec(self, blocks: int) -> MatchSpec:
        """Return it as the referee has it."""
        return MatchSpec(find(self.ruleset), self.options, self.limits, self.secret, blocks, self.bots)


def blocks_played(series: Series, blocks: Sequence[int], processes: int = 1) -> Iterator[Played]:
    """Play the blocks with these numbers and yield each, in order.

    Raises:
        PlatformFault: a bot's process could not be made, or there is no cage where one is asked for.
    """
    if processes == 1:
        with home_cage(caged=series.caged) as cage:
            for block in blocks:
                yield _block(series, block, cage)
        return
    context = get_context("spawn")  # a fresh interpreter each: the judges' threads do not survive a fork
    places = context.SimpleQueue()
    for place in range(processes):
        places.put(place)
    with ProcessPoolExecutor(processes, mp_context=context, initializer=_sit, initargs=(places,)) as pool:
        try:
            yield from pool.map(_alone, *zip(*((series, block) for block in blocks), strict=True))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


_cages: list[HomeCage | CagedHome] = []  # of this process: its bots' processes are kept from block to block


def _sit(places: "SimpleQueue[int]") -> None:
    """Take a core for this process and its bots, another one than the processes beside it."""
    if found := cores():
        stay_on(found[places.get() % len(found)])


def _alone(series: Series, block: int) -> Played:
    if not _cages:
        _cages.append(open_cage() if series.caged else HomeCage())
    return _block(series, block, _cages[0])


def _block(series: Series, block: int, cage: HomeCage | CagedHome) -> Played:
    seats = len(series.bots)
    order = series.spec(block + 1)
    cage.times.clear()
    games = tuple(game_played(order, cage, block * seats + rotation) for rotation in range(seats))
    return Played(block, games, dict(cage.times), dict(cage.beside))


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
        except USAGE_ERRORS as error:
            complain(error)
        yield series


def options_of(ruleset: Ruleset, pairs: list[str]) -> dict[str, Any]:
    """Return the options that ``NAME=VALUE`` give; the ruleset checks them."""
    texts = dict(pair.partition("=")[::2] for pair in pairs)
    return {name: ruleset.options[name].read(text) if name in ruleset.options else text for name, text in texts.items()}


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
