"""Blocks of games at home, one after the other or several at a time."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.queues import SimpleQueue
from typing import Any

from games.catalogue import find
from games.protocol import Limits
from matches.referee import GameResult
from matches.referee.series import MatchSpec, game_played
from peck.bots import HomeBot
from peck.box import HomeCage
from peck.caged import CagedHome, home_cage, open_cage
from peck.one_core import cores, stay_on


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
