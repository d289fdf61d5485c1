"""Tables and seats of a round robin with tables larger than two: cyclic designs, and balanced seats.

Take t base tables with players from Z_n and add 0..n-1 to each: n * t tables in which each player sits t * k times. The
pair (x, x + d) then meets as often as the difference d occurs in the base tables. So a family in which all differences
occur equally often (a difference family, R. C. Bose 1939) is a balanced design. If none exists or is found, a family in
which the numbers of occurrences differ by at most one is nearly as good. The same search finds both.

For the seats, split every entrant into copies of at most k tables and join copies to their tables: a bipartite graph of
degree at most k, whose edges can be coloured with k colours so that no two meet in one (Koenig 1916). The colour is the
seat.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Final, TypeAlias

from tournaments.formats.seating import Seating

Base: TypeAlias = tuple[tuple[int, ...], ...]

MOVES: Final = 12_000  # limits one search to a fraction of a second


def round_robin_tables_of_base(base: Base, players: int) -> list[tuple[int, ...]]:
    """Return all tables that the base tables generate."""
    return [tuple((player + shift) % players for player in table) for table in base for shift in range(players)]


@cache
def round_robin_difference_family(players: int, seats: int, tables: int) -> tuple[Base, int]:
    """Return the base tables with the most evenly occurring differences that the search finds, and the spread of the
    numbers of occurrences.

    The same arguments give the same result, because the random numbers of the search have a fixed seed.
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
    """Hill climbing on the sum of squared occurrences, with sideways moves. Occasional worse moves leave local
    optima."""

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
        """Replace one player of one base table, if the cost does not rise (and occasionally even if it does)."""
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


_Copy: TypeAlias = tuple[int, int]  # an entrant and the number of its copy
_Edge: TypeAlias = tuple[_Copy, int]  # a copy and the number of its table


def round_robin_seats_balanced(tables: Sequence[Sequence[int]]) -> list[Seating]:
    """Return the tables in seat order, so that an entrant at r tables has each of k seats r // k times or once more."""
    seats = len(tables[0])
    sat: Counter[int] = Counter()
    colouring = _Colouring(seats)
    for number, table in enumerate(tables):
        for player in table:
            colouring.add(((player, sat[player] // seats), number))
            sat[player] += 1
    seating = [[0] * seats for _ in tables]
    for ((player, _), number), seat in colouring.colours():
        seating[number][seat] = player
    return [tuple(table) for table in seating]


class _Colouring:
    def __init__(self, colours: int) -> None:
        self.palette = range(colours)
        self.by_copy: dict[_Copy, dict[int, _Edge]] = {}
        self.by_table: dict[int, dict[int, _Edge]] = {}

    def add(self, edge: _Edge) -> None:
        copy, table = edge
        at_copy, at_table = self.by_copy.setdefault(copy, {}), self.by_table.setdefault(table, {})
        free_here = next(colour for colour in self.palette if colour not in at_copy)
        free_there = next(colour for colour in self.palette if colour not in at_table)
        if free_here in at_table:
            self._swap(table, free_here, free_there)
        at_copy[free_here] = at_table[free_here] = edge

    def colours(self) -> list[tuple[_Edge, int]]:
        return [(edge, colour) for edges in self.by_table.values() for colour, edge in edges.items()]

    def _swap(self, table: int, first: int, second: int) -> None:
        """Exchange two colours along the alternating path that leaves ``table`` by ``first``. The path cannot return to
        the copy that needs ``first``, because this copy has no edge of this colour."""
        path: list[tuple[_Edge, int]] = []
        edges, colour = self.by_table[table], first
        while colour in edges:
            edge = edges[colour]
            path.append((edge, colour))
            edges = self.by_copy[edge[0]] if edges is self.by_table[edge[1]] else self.by_table[edge[1]]
            colour = second if colour == first else first
        for (copy, number), colour in path:
            del self.by_copy[copy][colour], self.by_table[number][colour]
        for edge, colour in path:
            other = second if colour == first else first
            self.by_copy[edge[0]][other] = self.by_table[edge[1]][other] = edge
