"""Round robin: every pair meets equally often, or within one where no such design is small enough."""

from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import Final

from games.lots import lot
from tournaments.formats.round_robin.circle import circle
from tournaments.formats.round_robin.differences import develop, family
from tournaments.formats.round_robin.packing import packed
from tournaments.formats.round_robin.seating import balanced
from tournaments.formats.schedule import Design, EntrantsError, Schedule, Seating

SMALL: Final = 60  # tables: up to here every possible table is played


def round_robin(entrants: Sequence[int], seats: int, secret: bytes) -> Schedule:
    """Return the whole schedule; the same entrants (in any order), seats and secret give the same one.

    Tables of two: every pair once. Larger ones: every possible table where these are at most ``SMALL``; else a cyclic
    design in which every pair meets equally often, if one with no more tables than a round robin of pairs would have is
    found; else a small near-balanced design, whose pairs meet within one of each other (measured: up to 60 entrants;
    at 100 a table of six or seven may leave a pair out). Each entrant sits equally often and has each seat equally
    often, or within one where the seats do not divide its tables.

    Raises:
        EntrantsError: fewer than ``seats``.
    """
    if len(entrants) < seats:
        raise EntrantsError(len(entrants), seats)
    drawn = sorted(entrants, key=lambda entrant: (lot(secret, "seeding", entrant), entrant))
    if seats == 2:
        design, rounds = Design.CIRCLE, circle(len(drawn))
    else:
        design, tables = _tables(len(drawn), seats)
        rounds = packed(balanced(tables))
    return Schedule(
        design, tuple(tuple(tuple(drawn[player] for player in table) for table in tables) for tables in rounds)
    )


def _tables(players: int, seats: int) -> tuple[Design, list[Seating]]:
    if comb(players, seats) <= SMALL:
        return Design.SUBSETS, list(combinations(range(players), seats))
    pairs = seats * (seats - 1)  # differences in a base table
    most = max(SMALL, players * (players - 1) // 2) // players
    for size in range(1, most + 1):
        meetings, rest = divmod(size * pairs, players - 1)
        # The difference n / 2 is its own opposite and occurs an even number of times.
        if rest == 0 and (players % 2 or meetings % 2 == 0):
            base, spread = family(players, seats, size)
            if spread == 0:
                return Design.CYCLIC, develop(base, players)
    least = -(-(players - 1) // pairs)
    best = min((family(players, seats, size) for size in range(least, least + 4)), key=lambda found: max(1, found[1]))
    return Design.NEAR, develop(best[0], players)
