"""Seats at a table of a Swiss round, from the seats each player had before."""

from collections.abc import Sequence
from functools import lru_cache
from math import inf
from typing import Final, TypeAlias

from tournaments.formats.schedule import Seating

Wish: TypeAlias = int  # seats as bits

UNEVEN: Final = 1000.0  # outweighs the squares of any history
WORSE: Final = 8.0  # than any number of the others at a table


def seated(table: Sequence[int], sat: Sequence[Sequence[int]]) -> Seating:
    """Return ``table`` in seat order; ``sat`` counts, for each of its players in the same order, how often it had each
    seat.

    Nobody's most and least frequent seats come to differ by more than one if any order of this table allows it; if none
    does, as few players as possible are the furthest apart, then as few as possible the next furthest. Then seats that
    were rare go first (least squares). The best over all orders is found by growing it seat by seat over the sets of
    players already seated.
    """
    players = range(len(table))
    costs = [_costs(tuple(history), len(table)) for history in sat]
    least = [inf] * (1 << len(table))  # by the set of players seated so far, as bits; they have the first seats
    last = [0] * (1 << len(table))
    least[0] = 0.0
    for some, spent in enumerate(least):
        seat = some.bit_count()
        for player in players:
            grown = some | 1 << player
            if grown != some and spent + costs[player][seat] < least[grown]:
                least[grown], last[grown] = spent + costs[player][seat], player
    order = []
    some = len(least) - 1
    while some:
        order.append(table[last[some]])
        some ^= 1 << last[some]
    return tuple(reversed(order))


@lru_cache(maxsize=4096)
def wish(sat: tuple[int, ...], seats: int, apart: int = 1) -> Wish:
    """Return the seats of a table of ``seats`` after which the most and the least frequent seats are ``apart`` at most;
    if there is none, those after which they differ least.
    """
    spreads = _spreads(sat, seats)
    best = max(apart, min(spreads))
    return sum(1 << seat for seat, spread in enumerate(spreads) if spread <= best)


@lru_cache(maxsize=4096)
def _costs(history: tuple[int, ...], seats: int) -> tuple[float, ...]:
    return tuple(
        2 * times + 1 + (UNEVEN * WORSE ** (spread - 2) if spread > 1 else 0)
        for times, spread in zip(history, _spreads(history, seats), strict=False)
    )


def _spreads(history: Sequence[int], seats: int) -> list[int]:
    """Return by seat how far the most and the least frequent would be apart after it."""
    most, fewest = max(history), min(history)
    only = history.count(fewest) == 1
    return [max(most, times + 1) - (fewest + 1 if only and times == fewest else fewest) for times in history[:seats]]
