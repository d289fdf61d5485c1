"""Draw a round robin, in which all pairs meet equally often.

If there is no such schedule with few enough tables, the numbers of meetings differ by at most one. Tables of two are
drawn by the circle method. Larger tables come from a combinatorial design, and are packed into few rounds by first-fit.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from math import comb
from random import Random
from typing import Final, TypeAlias

from games.contest_luck import contest_luck_lot
from tournaments.formats.seating import Design, EntrantsError, Round, Schedule, Seating

Base: TypeAlias = tuple[tuple[int, ...], ...]

MOVES: Final = 12_000  # moves of one search, which take a fraction of a second


def round_robin_tables_of_base(base: Base, players: int) -> list[tuple[int, ...]]:
    """Return all tables that the base tables generate.

    Each base table gives ``players`` tables: 0, 1, ..., ``players`` - 1 are added to its numbers, modulo ``players``.
    Two players meet as often as the difference of their numbers occurs in the base tables, modulo ``players``. In
    (0, 1, 3), each difference from 1 to 6 occurs once, so with 7 players each pair meets once:

    >>> round_robin_tables_of_base(((0, 1, 3),), players=7)
    [(0, 1, 3), (1, 2, 4), (2, 3, 5), (3, 4, 6), (4, 5, 0), (5, 6, 1), (6, 0, 2)]
    """
    return [tuple((player + shift) % players for player in table) for table in base for shift in range(players)]


@cache
def round_robin_difference_family(players: int, seats: int, tables: int) -> tuple[Base, int]:
    """Search for base tables in which all differences occur equally often.

    Return the base tables that come closest to this, and by how much the most and the least frequent differences
    differ in frequency. The same arguments give the same result, because the random numbers of the search have a fixed
    seed.
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
    """Searches by hill climbing for base tables with a small ``cost``.

    The cost is the sum, over all differences, of the squared number of times that the difference occurs. Moves that
    leave the cost equal are made too. To leave local optima, a few moves that raise the cost are made.
    """

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
        """Replace one player of one base table if the cost does not rise. Occasionally replace it even if it rises."""
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
    """Return the tables in seat order. An entrant at r tables of k seats has each seat r // k times, or once more.

    Each entrant is split into copies, with at most k tables for each copy. Then seats are given so that no copy has a
    seat twice. This is an edge colouring: an edge joins a copy and a table, and the colour of the edge is the seat.
    """
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
        """Exchange two colours along the alternating path that leaves ``table`` by the colour ``first``.

        The path cannot reach the copy that needs the colour ``first``, because this copy has no edge of this colour.
        """
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


def round_robin_circle(players: int) -> tuple[Round, ...]:
    """Return the rounds for players 0..n-1.

    There are n - 1 rounds if n is even. If n is odd, there are n rounds, and each player sits out one of them. For each
    player, the numbers of first and of second seats differ by at most one.
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
    """Pack tables into rounds: each table goes into the first round in which all its entrants are free.

    Try several orders of the tables, and return the result with the fewest rounds.
    """
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


SMALL: Final = 60  # tables; if there are at most so many possible tables, all of them are played


def round_robin(entrants: Sequence[int], seats: int, secret: bytes) -> Schedule:
    """Return the whole schedule. The same entrants (in any order), seats and secret give the same schedule.

    With tables of two, each pair meets once. With larger tables, there are three designs:

    - all possible tables, if there are at most ``SMALL``;
    - else a cyclic design in which all pairs meet equally often, if the search finds one with no more tables than a
      round robin of pairs would have;
    - else a small near-balanced design, in which the numbers of meetings differ by at most one. This was measured for
      up to 60 entrants. With 100 entrants at tables of six or seven, some pairs may not meet.

    All entrants play equally often. An entrant has its most frequent seat at most once more than its least frequent.

    Raises:
        EntrantsError: there are fewer entrants than ``seats``.
    """
    if len(entrants) < seats:
        raise EntrantsError(len(entrants), seats)
    drawn = sorted(entrants, key=lambda entrant: (contest_luck_lot(secret, "seeding", entrant), entrant))
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
    pairs = seats * (seats - 1)  # number of differences in a base table
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
