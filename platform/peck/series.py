"""A series of games at home: its arguments, and playing its blocks, one or several at a time."""

import argparse
import math
from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.queues import SimpleQueue
from pathlib import Path
from typing import Any, Final, TypeAlias

from games.catalogue import GAMES, UnknownRuleset, find, ruleset_find_or_current
from games.protocol import LimitError, Limits
from games.ruleset import OptionError, Ruleset, SeatError
from matches.referee import GameResult, Sequential, StoppingError
from matches.referee.match_series import MatchSpec, series_game_play
from peck.bots import HomeBot, NoBotError, peck_bots_at
from peck.cage import HomeCage
from peck.cli import cli_complain
from peck.in_process import InProcessCage
from peck.processes import peck_process_allowed_cores, peck_process_stay_on_core
from peck.project import ProjectError, project_game
from peck.site_cage import SiteCage, open_site_cage, site_cage_at_home

ENDINGS: Final = (".py", ".zip")  # suffixes of bots' files
USAGE_ERRORS: Final = (UnknownRuleset, OptionError, SeatError, NoBotError, LimitError, ProjectError, StoppingError)


@dataclass(frozen=True, slots=True)
class PlayedBlock:
    """The games of one block. ``times`` has the CPU seconds of each action, ``imported`` the files beside a bot that it
    imported.
    """

    block: int
    games: tuple[GameResult, ...]
    times: Mapping[str, list[float]]
    imported: Mapping[str, list[str]]


@dataclass(frozen=True, slots=True)
class Series:
    """The settings of a series, see ``MatchSpec``. A bot that fails is started again for the next game. ``stopping`` is
    the rule that ends the series, if there is one.
    """

    ruleset: str
    options: Mapping[str, Any]
    limits: Limits
    secret: bytes
    bots: tuple[HomeBot, ...]
    caged: bool = False
    in_process: bool = False
    stopping: Sequential | None = None

    def spec(self, blocks: int) -> MatchSpec:
        """Return the series of ``blocks`` blocks as the referee's ``MatchSpec``."""
        rules = find(self.ruleset)
        return MatchSpec(rules, self.options, self.limits, self.secret, blocks, self.bots, stopping=self.stopping)


def peck_series_blocks(series: Series, blocks: Sequence[int], processes: int = 1) -> Generator[PlayedBlock, None, None]:
    """Play the blocks with these numbers and yield their results in order.

    Raises:
        PlatformFault: a bot's process cannot be started, or ``caged`` is set and there is no cage.
    """
    if processes == 1:
        with site_cage_at_home(caged=series.caged, in_process=series.in_process) as cage:
            for block in blocks:
                yield peck_series_play_block(series, block, cage)
        return
    # The processes start with fresh interpreters, because the threads of the judges would not survive a fork.
    context = get_context("spawn")
    places = context.SimpleQueue()
    for place in range(processes):
        places.put(place)
    with ProcessPoolExecutor(
        processes, mp_context=context, initializer=peck_series_take_core, initargs=(places,)
    ) as pool:
        try:
            yield from pool.map(_worker_block, *zip(*((series, block) for block in blocks), strict=True))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


AnyCage: TypeAlias = HomeCage | SiteCage | InProcessCage
_cages: list[AnyCage] = []  # the cages of this process; the processes of their bots are reused for later blocks


def peck_series_take_core(places: "SimpleQueue[int]") -> None:
    """Keep this worker process and its bots on a separate core."""
    if found := peck_process_allowed_cores():
        peck_process_stay_on_core(found[places.get() % len(found)])


def _worker_block(series: Series, block: int) -> PlayedBlock:
    if not _cages:
        _cages.append(open_site_cage() if series.caged else InProcessCage() if series.in_process else HomeCage())
    return peck_series_play_block(series, block, _cages[0])


def peck_series_play_block(series: Series, block: int, cage: AnyCage) -> PlayedBlock:
    """Play the games of one block.

    Raises:
        PlatformFault: see ``peck_series_blocks``.
    """
    seats = len(series.bots)
    spec = series.spec(block + 1)
    cage.times.clear()
    games = tuple(series_game_play(spec, cage, block * seats + rotation) for rotation in range(seats))
    return PlayedBlock(block, games, dict(cage.times), dict(cage.imported))


def peck_series_add_arguments(parser: argparse.ArgumentParser, name: str, count: Any, description: str) -> None:
    """Add the arguments that select the bots, the game and the number of blocks."""
    parser.add_argument("game", nargs="?", help=f"{', '.join(GAMES)}; by default the one in peck.json beside a bot")
    parser.add_argument("bots", nargs=count, type=Path, metavar=name, help=description)
    parser.add_argument("--seed", default="peck", help="any text; the same text gives the same games")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game; may be repeated"
    )
    peck_series_add_limits(parser)
    peck_series_add_where(parser)


def peck_series_add_where(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for where bots run and how the results are printed."""
    where = parser.add_mutually_exclusive_group()
    peck_series_add_caged(where)
    where.add_argument(
        "--in-process",
        action="store_true",
        help="run all bots in one process without limits: fast, for files that you trust",
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def peck_series_add_caged(parser: argparse._ActionsContainer) -> None:
    """Add the argument for the site's cage."""
    parser.add_argument(
        "--caged", action="store_true", help="run bots in the site's cage (Linux only, from a checkout)"
    )


def peck_series_add_limits(parser: argparse.ArgumentParser) -> None:
    """Add the argument for limits other than the site's."""
    parser.add_argument(
        "--limit",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a limit for bots, such as act_cpu=0.5; may be repeated",
    )


@contextmanager
def peck_series_from_arguments(given: argparse.Namespace) -> Iterator[Series | None]:
    """Yield the series for the arguments. On a usage error, print the reason and yield None."""
    with ExitStack() as stack:
        series = None
        try:
            ruleset = _ruleset_of(given)
            options = peck_series_options(ruleset, given.option)
            ruleset.validate(len(given.bots), options)
            bots = tuple(stack.enter_context(peck_bots_at(given.bots)))
            series = Series(
                *(ruleset.id, options, peck_series_limits(given.limit), given.seed.encode() or b"peck", bots),
                given.caged,
                given.in_process,
            )
        except USAGE_ERRORS as error:
            cli_complain(error)
        yield series


def _ruleset_of(given: argparse.Namespace) -> Ruleset:
    """Return the ruleset. If the argument for it can only be a bot, move it to the bots, and use the game of their
    project.

    Raises:
        UnknownRuleset, ProjectError: the game is unknown, or none is named.
    """
    try:
        return ruleset_find_or_current(given.game or project_game(*given.bots))
    except UnknownRuleset:
        first = Path(given.game or "")
        if not given.game or not (first.exists() or first.suffix in ENDINGS):
            raise
    given.bots = [Path(given.game), *given.bots]
    return ruleset_find_or_current(project_game(*given.bots))


def peck_series_options(ruleset: Ruleset, pairs: list[str]) -> dict[str, Any]:
    """Return the options in the ``NAME=VALUE`` pairs. The ruleset validates them later."""
    texts = dict(pair.partition("=")[::2] for pair in pairs)
    return {name: ruleset.options[name].read(text) if name in ruleset.options else text for name, text in texts.items()}


def peck_series_limits(pairs: Sequence[str]) -> Limits:
    """Return the site's limits, changed by the ``NAME=VALUE`` pairs.

    Raises:
        LimitError: there is no such limit, or it does not allow the value.
    """
    limits: dict[str, Any] = {}
    for pair in pairs:
        name, _, text = pair.partition("=")
        try:
            limits[name] = float(text) if "." in text or name.endswith(("cpu", "wall")) else int(text)
        except ValueError:
            raise LimitError(name, text, "a number") from None
    return Limits.from_dict(limits)


def peck_series_json_default(value: Any) -> Any:
    """Return a JSON value for an object that ``json`` cannot encode: None for an infinite number."""
    return None if isinstance(value, float) and not math.isfinite(value) else str(value)
