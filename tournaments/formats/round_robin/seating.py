"""Seats for tables already chosen, each entrant in each seat equally often.

Split every entrant into copies of at most k tables and join copies to their tables: a bipartite graph of degree at most
k, whose edges can be coloured with k colours so that no two meet in one (Koenig 1916). The colour is the seat.
"""

from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

from tournaments.formats.schedule import Seating

_Copy: TypeAlias = tuple[int, int]  # an entrant and the number of its copy
_Edge: TypeAlias = tuple[_Copy, int]  # a copy and the number of its table


def balanced(tables: Sequence[Sequence[int]]) -> list[Seating]:
    """Return the same tables in seat order: an entrant of r tables has each of k seats r // k times, or once more."""
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
        """Exchange two colours along the alternating path that leaves ``table`` by ``first``; it cannot come back to
        the copy that asked for ``first``, because that one has no edge of this colour."""
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
