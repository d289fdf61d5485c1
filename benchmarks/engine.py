"""Measure the engine: complete games with records through the public interface, and a match of the best house bots.

Bots run in this process and take hardly any time: they choose random legal actions. Figures are processor time, the
fastest of several rounds. Random players of Pickomino win hardly any tiles, so a game by the default rules lasts until
the turn cap, about three times as many decisions as between bots that try to win. The aims were set for games of about
100 decisions.

Then two simple bots play as with ``peck play``, by wall time. Last, a step of each game is compared with one of the
Python games of OpenSpiel in the same run, see ``openspiel``.
"""

import random
import time
from collections.abc import Callable
from itertools import count
from math import sqrt
from pathlib import Path
from statistics import mean, stdev
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks import openspiel
from benchmarks.timing import best
from games.catalogue import GAMES, current
from games.catalogue.pickomino.bots import greedy, sage
from games.dealer import block_seed
from games.protocol import Limits
from games.record import Record
from games.ruleset import Ruleset
from games.table import Table
from peck.bots import peck_bots_at
from peck.series import Series, peck_series_blocks

DUEL_BLOCKS = 60
HOME_BLOCKS = 10
SIMPLE = "def act(view):\n    return view['actions'][-1]\n"
SAMPLE = 200  # records that are stored, to measure their size and to replay them


def main() -> None:
    print("games for the fewest players, one core, bots that pick any legal action at random")
    _random_play("pickomino, a failed turn turns a tile over", current("pickomino"), {"flip_without_return": True})
    for ruleset in [game.current for game in GAMES.values()]:
        _random_play(f"{ruleset.name}, default rules", ruleset, {})
    _house(current("pickomino"))
    _home(current("pickomino"))
    openspiel.compare()


def _random_play(name: str, ruleset: Ruleset, options: dict[str, Any]) -> None:
    games, records = _games_a_second(ruleset, options)
    decisions = mean(len(record.actions) for record in records)
    size = mean(len(record.encode()) for record in records)
    replayed = best(lambda: _verify(records[:50])) * 50
    print(f" {name}, {decisions:.0f} decisions a game")
    _row("games with records", f"{games:,.0f}", "games/s", "5,000")
    _row("a decision, its dice included", f"{1e6 / games / decisions:.2f}", "us", "1-10")
    _row("a stored game", f"{size:.0f}", "bytes", "150")
    _row("a record verified by replay", f"{1e3 / replayed:.2f}", "ms", "0.45")


def _games_a_second(ruleset: Ruleset, options: dict[str, Any]) -> tuple[float, list[Record]]:
    luck = random.Random(1).random
    records: list[Record] = []
    seeds = (block_seed(b"benchmark", number) for number in count())

    def play() -> None:
        table = Table(ruleset, ruleset.seats.start, options, next(seeds))
        while legal := table.state.actions():
            table.play(legal[int(luck() * len(legal))])
        record = table.record()
        if len(records) < SAMPLE:  # the garbage collector would scan thousands repeatedly
            records.append(record)

    return best(play), records


def _verify(records: list[Record]) -> None:
    for record in records:
        record.verify()


def _house(ruleset: Ruleset) -> None:
    """Play blocks of one seed in both seatings, so that both bots have the same luck."""
    leads, sizes, begin = [], [], time.process_time()
    for block in range(DUEL_BLOCKS):
        seed = block_seed(b"duel", block)
        first, second = (_record(ruleset, bots, seed) for bots in ((sage.act, greedy.act), (greedy.act, sage.act)))
        (own, other), (other_again, own_again) = first.verify().points, second.verify().points
        leads.append((own - other + own_again - other_again) / 2)
        sizes += [len(first.encode()), len(second.encode())]
    spent = (time.process_time() - begin) / len(sizes)
    lead, half = mean(leads), 1.96 * stdev(leads) / sqrt(len(leads))
    print(f" house bots of pickomino, {DUEL_BLOCKS} seeds in both seatings")
    _row("sage over greedy", f"{lead:+.2f}", "points a game", f"95 % interval {lead - half:+.2f} to {lead + half:+.2f}")
    _row("a game, views and record included", f"{1e3 * spent:.0f}", "ms", "")
    _row("a stored game", f"{mean(sizes):.0f}", "bytes", "150")


def _home(ruleset: Ruleset) -> None:
    """Let two simple bots play as with ``peck play``: in their own processes, with views as JSON and checked
    answers."""
    with TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in ("one.py", "other.py")]
        for path in paths:
            path.write_text(SIMPLE, encoding="utf-8")
        with peck_bots_at(paths) as bots:
            series = Series(ruleset.id, {}, Limits(), b"home", tuple(bots))
            begin = time.perf_counter()
            games = [game for block in peck_series_blocks(series, range(HOME_BLOCKS)) for game in block.games]
            spent = time.perf_counter() - begin
    decisions = sum(len(game.record.actions) for game in games)
    print(f" two simple bots at home, {decisions / len(games):.0f} decisions a game")
    _row("games", f"{len(games) / spent:.1f}", "games/s", "")
    _row("a decision, by the clock", f"{1e6 * spent / decisions:.0f}", "us", "")


def _record(ruleset: Ruleset, bots: tuple[Callable[[Any], str], ...], seed: bytes) -> Record:
    table = Table(ruleset, len(bots), {}, seed)
    while not table.over:
        table.play(bots[table.actor](table.view(table.actor)))
    return table.record()


def _row(name: str, figure: str, unit: str, aim: str) -> None:
    print(f"  {name:<36}{figure:>10} {unit:<14}" + (f"({aim if 'interval' in aim else 'aim ' + aim})" if aim else ""))


if __name__ == "__main__":
    main()
