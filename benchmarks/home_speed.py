"""Measure games per CPU-second of two house bots at home: in two processes, in one, and as plain functions.

``python -m benchmarks home_speed``
"""

import importlib
import itertools
import resource
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from games.catalogue import GAMES
from games.protocol import Limits
from peck.bots import peck_bots_at
from peck.series import Series, peck_series_blocks
from pecking.simulate import Player, simulate

SECONDS: Final = 4.0  # processor time for each line


def main(games: Iterable[str] = GAMES) -> None:
    """Print a line for each of ``games``. The bots are the first two house bots that are pure Python."""
    print("game         players                     processes  --in-process  simulate   games per CPU-second")
    for game in games:
        figures = [_rate(play(game)) for play in (_processes, _in_process, _functions)]
        names = " ".join(path.stem for path in _bots(game)[:2])
        print(f"{game:12} {names:28}" + "".join(f"{one:9.1f}    " for one in figures), flush=True)


def _bots(game: str) -> list[Path]:
    rules = GAMES[game]
    folder = Path(importlib.import_module(f"games.catalogue.{game}").__file__ or "").parent / "bots"
    plain = [one for one in sorted(folder.glob("[!_]*.py")) if b"numpy" not in one.read_bytes()]
    return list(itertools.islice(itertools.cycle(plain[:2]), rules.current.usual_seats[0]))


def _series(game: str, *, in_process: bool) -> Iterable[int]:
    with ExitStack() as stack:
        bots = tuple(stack.enter_context(peck_bots_at(_bots(game))))
        series = Series(GAMES[game].current.id, {}, Limits(), b"speed", bots, in_process=in_process)
        for block in peck_series_blocks(series, range(10**6)):
            yield len(block.games)


def _processes(game: str) -> Iterable[int]:
    return _series(game, in_process=False)


def _in_process(game: str) -> Iterable[int]:
    return _series(game, in_process=True)


def _functions(game: str) -> Iterable[int]:
    modules: list[Any] = [importlib.import_module(f"games.catalogue.{game}.bots.{one.stem}") for one in _bots(game)]
    players: list[Player] = [getattr(one, "Bot", None) or one.act for one in modules]
    return (1 for _ in simulate(game, players, itertools.count()))


def _rate(games: Iterable[int]) -> float:
    """Return the games per second of processor time of this process and its children."""
    counted = iter(games)
    next(counted)
    began, played = _spent(), 0
    while (spent := _spent() - began) < SECONDS:
        played += next(counted)
    close: Callable[[], None] = getattr(counted, "close", lambda: None)
    before = _spent()
    close()  # the time of children counts once they have been waited for
    return played / (spent + _spent() - before)


def _spent() -> float:
    whose = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN
    return sum(one.ru_utime + one.ru_stime for one in map(resource.getrusage, whose))


if __name__ == "__main__":
    main()
