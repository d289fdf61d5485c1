"""Seatings, rounds and schedules, and the sizes of tables if the entrants do not fill all tables."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import TypeAlias

Seating: TypeAlias = tuple[int, ...]  # entrants in seat order
Round: TypeAlias = tuple[Seating, ...]


class Design(StrEnum):
    """How the tables of a schedule were chosen."""

    CIRCLE = "circle"  # tables of two: every pair meets once
    SUBSETS = "subsets"  # every possible table plays once
    CYCLIC = "cyclic"  # a difference design: every pair meets equally often
    NEAR = "near"  # nearly a difference design: numbers of meetings differ by at most one, if the search succeeds


class EntrantsError(ValueError):
    """There are fewer entrants than seats at a table."""

    def __init__(self, entrants: int, seats: int) -> None:
        self.entrants = entrants
        self.seats = seats
        super().__init__(f"{entrants} entrants cannot fill a table of {seats}")


@dataclass(frozen=True, slots=True)
class Schedule:
    """All rounds of a tournament. In each round, an entrant has at most one seat."""

    design: Design
    rounds: tuple[Round, ...]

    def tables(self) -> Iterator[Seating]:
        """Yield every table, in the order of play."""
        for tables in self.rounds:
            yield from tables

    def meetings(self, entrants: Sequence[int]) -> range:
        """Return the range of how often two of ``entrants`` meet, from the least to the greatest number of meetings."""
        met = Counter(pair for table in self.tables() for pair in combinations(sorted(table), 2))
        counts = [met[pair] for pair in combinations(sorted(entrants), 2)]
        return range(min(counts), max(counts) + 1)


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes of tables.

    ``tables`` has the number of seats of each table, the largest first; these numbers differ by at most one. ``byes``
    is the number of entrants without a seat.
    """

    tables: tuple[int, ...]
    byes: int


def seating_smallest_table(seats: int) -> int:
    """Return the smallest size of a table in a Swiss with ``seats`` seats at a full table: more than half of it."""
    return seats // 2 + 1


def seating_table_sizes(entrants: int, seats: int, smallest: int) -> Sizes | None:
    """Return the sizes with the fewest byes; None if the entrants are too few for a table.

    Of several such sizes, return those with the fewest tables, and then the most equal ones.

    Take ``smallest`` from ``seating_smallest_table``. Then tables with three, five or seven seats never need a bye.
    Tables of four need a bye only for five entrants, and tables of six only for seven entrants.
    """
    for byes in range(min(smallest, entrants - smallest + 1)):
        tables = -(-(entrants - byes) // seats)
        least, larger = divmod(entrants - byes, tables)
        if least >= smallest:
            return Sizes((least + 1,) * larger + (least,) * (tables - larger), byes)
    return None
