"""Measure a Swiss: the time to draw a round, and how close the scores of paired bots are.

Results follow hidden strengths with noise. Times are processor time, the best of a few draws of each round. The bound
is the spread if the sorted scores were cut into tables, ignoring earlier meetings.
"""

import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

from tournaments.formats import (
    Past,
    RankedEntrant,
    RoundPairings,
    pairings_contenders_of,
    seating_smallest_table,
    seating_table_sizes,
    swiss_round,
)

SECRET = b"benchmark"
REPEATS = 3


@dataclass(slots=True)
class Played:
    """The result of an event. ``spread`` is the mean range of scores at a table, ``bound`` its lower bound. ``uneven``
    is the number of bots whose seats differ by more than one at the end, ``most_uneven`` the largest such number after
    a round."""

    slowest: float
    history: float
    spread: float
    bound: float
    rematches: int
    uneven: int
    most_uneven: int


def main() -> None:
    print("Swiss, a round drawn from its contenders; the slowest of the rounds")
    for entrants, seats, rounds, aim in [
        (1000, 4, 9, "50"),
        (4000, 4, 9, "300"),
        (1000, 2, 9, ""),
        (350, 7, 10, "1000"),
        (1000, 7, 9, "1000"),
    ]:
        event = _play(entrants, seats, rounds)
        print(f" {entrants:,} entrants, tables of {seats}, {rounds} rounds")
        _row("a round drawn", f"{1e3 * event.slowest:.0f}", "ms", aim)
        _row("its history counted", f"{1e3 * event.history:.0f}", "ms", "")
        _row("rematches in all rounds", f"{event.rematches}", "", "0")
        times = event.spread / event.bound if event.bound else 1
        _row("mean table score range", f"{event.spread:.3f}", f"bound {event.bound:.3f}", f"1.5 times; {times:.2f}")
        _row("bots with seats more than one apart", f"{event.uneven}", f"most {event.most_uneven}", "")


def _play(entrants: int, seats: int, rounds: int) -> Played:
    chance = random.Random(1)
    strength = [chance.gauss(0, 1) for _ in range(entrants)]
    scores = dict.fromkeys(range(entrants), 0.0)
    past: list[Past] = []
    spreads, bounds = [], []
    event = Played(0, 0, 0, 0, 0, 0, 0)
    for number in range(1, rounds + 1):
        begin = time.process_time()
        players = pairings_contenders_of(scores, past, seats)
        event.history = max(event.history, time.process_time() - begin)
        event.most_uneven = max(event.most_uneven, _uneven(players))
        spent = []
        for _ in range(REPEATS):
            begin = time.process_time()
            draw = swiss_round(players, seats, seating_smallest_table(seats), SECRET, number)
            spent.append(time.process_time() - begin)
        event.slowest = max(event.slowest, min(spent))
        event.rematches += sum(len(table.repeated) for table in draw.tables)
        spreads.append(_spread([[scores[entrant] for entrant in table.seating] for table in draw.tables]))
        bounds.append(_spread(_contiguous(scores, seats)))
        past.append(Past(tuple(table.seating for table in draw.tables), tuple(bye.entrant for bye in draw.byes)))
        _score(draw, seats, scores, [one + chance.gauss(0, 1) for one in strength])
    event.spread, event.bound = mean(spreads), mean(bounds)
    event.uneven = _uneven(pairings_contenders_of(scores, past, seats))
    event.most_uneven = max(event.most_uneven, event.uneven)
    return event


def _uneven(players: Sequence[RankedEntrant]) -> int:
    return sum(max(one.sat) - min(one.sat) > 1 for one in players)


def _score(draw: RoundPairings, seats: int, scores: dict[int, float], form: Sequence[float]) -> None:
    for table in draw.tables:
        order = sorted(table.seating, key=lambda entrant: form[entrant])
        for beaten, entrant in enumerate(order):
            scores[entrant] += beaten * (seats - 1) / (len(order) - 1)
    for bye in draw.byes:
        scores[bye.entrant] += seats - 1


def _contiguous(scores: Mapping[int, float], seats: int) -> list[list[float]]:
    ordered = sorted(scores.values(), reverse=True)
    sizes = seating_table_sizes(len(scores), seats, seating_smallest_table(seats))
    return [[ordered.pop(0) for _ in range(size)] for size in (sizes.tables if sizes else ())]


def _spread(tables: Sequence[Sequence[float]]) -> float:
    return mean(max(table) - min(table) for table in tables)


def _row(name: str, figure: str, unit: str, aim: str) -> None:
    print(f"  {name:<36}{figure:>10} {unit:<14}" + (f"(aim {aim})" if aim else ""))


if __name__ == "__main__":
    main()
