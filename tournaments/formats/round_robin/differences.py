"""Cyclic designs: tables for n players in which every pair meets equally often, or nearly so.

Take t base tables with players from Z_n and add 0..n-1 to each: n * t tables in which everyone sits t * k times. The
pair (x, x + d) then meets as often as the difference d occurs in the base tables, so that a family in which each
difference occurs equally often (a difference family, R. C. Bose 1939) is a balanced design. Where none exists or is
found, a family whose differences occur within one of each other does nearly as well; the same search finds it.
"""

from functools import cache
from random import Random
from typing import Final, TypeAlias

Base: TypeAlias = tuple[tuple[int, ...], ...]

MOVES: Final = 12_000  # of one search: bounds the time to a fraction of a second


def develop(base: Base, players: int) -> list[tuple[int, ...]]:
    """Return the tables that the base tables stand for."""
    return [tuple((player + shift) % players for player in table) for table in base for shift in range(players)]


@cache
def family(players: int, seats: int, tables: int) -> tuple[Base, int]:
    """Return base tables whose differences occur as evenly as the search can make them, and by how much they differ.

    The same arguments give the same answer: the search has its own, fixed chance.
    """
    search = _DifferenceSearch(players, seats, tables)
    best, best_spread = search.base(), search.spread()
    for _ in range(MOVES):
        if best_spread == search.least_spread:
            break
        search.step()
        if search.cost < search.best_cost:
            search.best_cost = search.cost
            if search.spread() < best_spread:
                best, best_spread = search.base(), search.spread()
    return best, best_spread


class _DifferenceSearch:
    """Hill climbing on the sum of squared occurrences, with sideways moves; a small random step leaves a dead end."""

    def __init__(self, players: int, seats: int, tables: int) -> None:
        self.chance = Random(f"{players}/{seats}/{tables}")  # noqa: S311  a search, no secret
        self.players = players
        self.tables = [[0, *self.chance.sample(range(1, players), seats - 1)] for _ in range(tables)]
        self.occurs = [0] * players
        for table in self.tables:
            for player in table:
                self._count(table, player, 1, half=True)
        self.cost = sum(count * count for count in self.occurs)
        self.best_cost = self.cost
        self.least_spread = 0 if tables * seats * (seats - 1) % (players - 1) == 0 else 1

    def base(self) -> Base:
        return tuple(tuple(table) for table in self.tables)

    def spread(self) -> int:
        return max(self.occurs[1:]) - min(self.occurs[1:])

    def step(self) -> None:
        """Replace one player of one base table, if that is no worse (or, now and then, anyway)."""
        table = self.chance.choice(self.tables)
        seat = self.chance.randrange(1, len(table))
        old, new = table[seat], self.chance.randrange(1, self.players)
        if new in table:
            return
        before = self.cost
        self._count(table, old, -1)
        table[seat] = new
        self._count(table, new, 1)
        self.cost = sum(count * count for count in self.occurs)
        if self.cost > before and self.chance.random() > 0.02:
            self._count(table, new, -1)
            table[seat] = old
            self._count(table, old, 1)
            self.cost = before

    def _count(self, table: list[int], player: int, sign: int, half: bool = False) -> None:
        for other in table:
            if other != player:
                self.occurs[(player - other) % self.players] += sign
                if not half:
                    self.occurs[(other - player) % self.players] += sign
