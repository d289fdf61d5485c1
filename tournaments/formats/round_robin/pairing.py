"""Draw a round robin: all pairs meet equally often. If no such design is small enough, the numbers of meetings differ
by at most one.

Tables of two are drawn by the circle method. Larger tables come from ``designs``, and are packed into few rounds by
first-fit.
"""

from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import Final

from games.luck import luck_lot
from tournaments.formats.round_robin.designs import (
    round_robin_difference_family,
    round_robin_seats_balanced,
    round_robin_tables_of_base,
)
from tournaments.formats.seating import Design, EntrantsError, Round, Schedule, Seating


def round_robin_circle(players: int) -> tuple[Round, ...]:
    """Return the rounds for players 0..n-1: n - 1 rounds for even n, and n rounds for odd n, of which each player sits
    out one.

    For each player, the numbers of first and of second seats differ by at most one.
    """
    even = players + players % 2
    return tuple(_round(number, players, even) for number in range(even - 1))


def _round(number: int, players: int, even: int) -> Round:
    ring = even - 1
    fixed = (number, ring) if number % 2 == 0 else (ring, number)
    pairs = [fixed]
    for step in range(1, even // 2):
        left, right = (number + step) % ring, (number - step) % ring
        pairs.append((right, left) if step % 2 else (left, right))
    return tuple(pair for pair in pairs if max(pair) < players)


def round_robin_packed(tables: Sequence[Seating]) -> tuple[Round, ...]:
    """Pack tables into rounds: each goes into the first round in which its entrants are free. Return the result with
    the fewest rounds of several orders."""
    strides = (1, 7, 31, 101)
    tries = (
        _first_fit([tables[(start + index) % len(tables)] for index in _cyclic_order(len(tables), stride)])
        for stride in strides
        for start in (0, len(tables) // 2)
    )
    return min(tries, key=len)


def _cyclic_order(count: int, stride: int) -> list[int]:
    return [index for start in range(min(stride, count)) for index in range(start, count, stride)]


def _first_fit(tables: Sequence[Seating]) -> tuple[Round, ...]:
    rounds: list[list[Seating]] = []
    sitting: list[set[int]] = []
    for table in tables:
        number = next((number for number, busy in enumerate(sitting) if busy.isdisjoint(table)), len(rounds))
        if number == len(rounds):
            rounds.append([])
            sitting.append(set())
        rounds[number].append(table)
        sitting[number].update(table)
    return tuple(tuple(one) for one in rounds)


SMALL: Final = 60  # if there are at most so many possible tables, all of them are played


def round_robin(entrants: Sequence[int], seats: int, secret: bytes) -> Schedule:
    """Return the whole schedule. The same entrants (in any order), seats and secret give the same schedule.

    With tables of two, each pair meets once. With larger tables, there are three designs:

    - all possible tables, if there are at most ``SMALL``;
    - else a cyclic design in which all pairs meet equally often, if the search finds one with no more tables than a
      round robin of pairs would have;
    - else a small near-balanced design, in which the numbers of meetings differ by at most one (measured up to 60
      entrants; with 100 entrants at tables of six or seven, a pair may not meet).

    All entrants play equally often. The numbers of times that an entrant has each seat differ by at most one.

    Raises:
        EntrantsError: there are fewer entrants than ``seats``.
    """
    if len(entrants) < seats:
        raise EntrantsError(len(entrants), seats)
    drawn = sorted(entrants, key=lambda entrant: (luck_lot(secret, "seeding", entrant), entrant))
    if seats == 2:
        design, rounds = Design.CIRCLE, round_robin_circle(len(drawn))
    else:
        design, tables = _design_tables(len(drawn), seats)
        rounds = round_robin_packed(round_robin_seats_balanced(tables))
    return Schedule(
        design, tuple(tuple(tuple(drawn[player] for player in table) for table in tables) for tables in rounds)
    )


def _design_tables(players: int, seats: int) -> tuple[Design, list[Seating]]:
    if comb(players, seats) <= SMALL:
        return Design.SUBSETS, list(combinations(range(players), seats))
    pairs = seats * (seats - 1)  # differences in a base table
    most = max(SMALL, players * (players - 1) // 2) // players
    for size in range(1, most + 1):
        meetings, rest = divmod(size * pairs, players - 1)
        # The difference n / 2 is its own opposite and occurs an even number of times.
        if rest == 0 and (players % 2 or meetings % 2 == 0):
            base, spread = round_robin_difference_family(players, seats, size)
            if spread == 0:
                return Design.CYCLIC, round_robin_tables_of_base(base, players)
    least = -(-(players - 1) // pairs)
    best = min(
        (round_robin_difference_family(players, seats, size) for size in range(least, least + 4)),
        key=lambda found: max(1, found[1]),
    )
    return Design.NEAR, round_robin_tables_of_base(best[0], players)
