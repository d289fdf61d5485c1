"""The cost of a table of a Swiss round, and its best seat order, from the earlier meetings and seats of each player."""

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from typing import Final, TypeAlias

from tournaments.formats.pairings import RankedEntrant
from tournaments.formats.seating import Seating

Wish: TypeAlias = int  # a set of seats, one bit for each seat

UNEVEN: Final = 1000.0  # cost of a spread of two, which outweighs the sums of squares in any history
WORSE: Final = 8.0  # factor for a spread that is wider by one, which outweighs all other players at the table


def swiss_seating_of_least_cost(table: Sequence[int], sat: Sequence[Sequence[int]]) -> Seating:
    """Return ``table`` in the best seat order.

    ``sat`` has, for each player of the table in the same order, how often the player has had each seat. A player's
    spread is the difference between the numbers of times that it has had its most and its least frequent seat.

    If there is an order in which no player has a spread of more than one, such an order is returned. Otherwise, as few
    players as possible have the widest spread, then the next widest, and so on. Among these orders, players get seats
    that they have rarely had (least squares). The best order is found by dynamic programming over the sets of players
    that are already seated.
    """
    players = range(len(table))
    costs = [_costs(tuple(history), len(table)) for history in sat]
    least = [inf] * (1 << len(table))  # by the set of players, as bits, that have the first seats
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
def swiss_seat_wish(sat: tuple[int, ...], seats: int, apart: int = 1) -> Wish:
    """Return the seats that a player wants at a table of ``seats`` seats. ``sat`` has how often it had each seat.

    After a wanted seat, the numbers for the most and the least frequent seat differ by at most ``apart``. If there is
    no such seat, the player wants the seats after which they differ least.
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
    """Return, for each seat, by how much the numbers for the most and the least frequent seat would differ after it."""
    most, fewest = max(history), min(history)
    only = history.count(fewest) == 1
    return [max(most, times + 1) - (fewest + 1 if only and times == fewest else fewest) for times in history[:seats]]


Tables: TypeAlias = list[list[int]]  # the numbers of the players at each table


@dataclass(frozen=True, slots=True)
class Candidates:
    """The players of a round, numbered from the best score down. Equal scores are in the order of their lots.

    The cost of a round is the sum of these costs. Each of the first four outweighs all earlier ones of a round
    together:

    - a pair at a table costs the square of its score gap;
    - a seat at a small table costs ``short_seat`` times the square of the number of small tables at which the player
      has sat before;
    - a pair that has met costs ``repeat`` times the square of its number of meetings;
    - a pair that is kept ``apart`` costs ``bar``;
    - a pair of ``kin`` costs ``kin_gap`` in addition.
    """

    scores: Sequence[float]
    met: Sequence[Mapping[int, int]]
    short: Sequence[int]
    byes: Sequence[int]
    wishes: Sequence[Wish]  # by player: the seats that it wants, see ``swiss_seat_wish``
    limits: Sequence[Wish]  # by player: the same with ``apart`` = 2
    seats: int
    repeat: float
    short_seat: float
    apart: Sequence[Set[int]]
    bar: float
    kin: Sequence[Set[int]]
    kin_gap: float

    def cost(self, player: int, others: Iterable[int], short: bool) -> float:
        """Return the cost of ``player`` at a table with ``others``."""
        met, score, apart, kin = self.met[player], self.scores[player], self.apart[player], self.kin[player]
        total = self.short_seat * self.short[player] ** 2 if short else 0.0
        for other in others:
            gap = score - self.scores[other]
            total += gap * gap
            if other in met:
                total += self.repeat * met[other] ** 2
            if other in apart:
                total += self.bar
            if other in kin:
                total += self.kin_gap
        return total

    def total(self, tables: Tables) -> float:
        """Return the cost of a whole round."""
        return sum(
            self.cost(player, table[place + 1 :], len(table) < self.seats)
            for table in tables
            for place, player in enumerate(table)
        )

    def meetings(self, player: int, others: Iterable[int]) -> int:
        """Return the cost of the rematches of ``player`` at a table with ``others``, in units of ``repeat``."""
        return sum(self.met[player].get(other, 0) ** 2 for other in others)

    def rematches(self, table: Sequence[int]) -> list[tuple[int, int]]:
        """Return the pairs of a table that have met before."""
        return [
            (one, other) for place, one in enumerate(table) for other in table[place + 1 :] if other in self.met[one]
        ]


def swiss_cost_candidates(
    drawn: Sequence[RankedEntrant],
    seats: int,
    forbidden: Collection[frozenset[int]] = (),
    kin: Collection[frozenset[int]] = (),
    *,
    late: bool = False,
) -> Candidates:
    """Return the players of ``drawn`` as candidates. ``drawn`` must have the highest score first.

    ``forbidden`` and ``kin`` are groups of entrants. The members of a group are kept apart from each other. In a
    ``late`` round, members of a group in ``kin`` are kept apart only if that costs no more than the gap of a win.
    """
    number = {contender.entrant: player for player, contender in enumerate(drawn)}
    scores = [contender.score for contender in drawn]
    spread = (scores[0] - scores[-1]) ** 2
    related = _each_other(kin, number)
    kin_gap = float((seats - 1) ** 2) if late and any(related) else 0.0
    short_seat = 1 + len(drawn) * seats * (spread + kin_gap)
    most_short = max(contender.short for contender in drawn) ** 2
    repeat = short_seat * (1 + len(drawn) * most_short)
    most_met = max((times for contender in drawn for times in contender.met.values()), default=0)
    return Candidates(
        scores=scores,
        met=[{number[one]: times for one, times in c.met.items() if one in number} for c in drawn],
        short=[contender.short for contender in drawn],
        byes=[contender.byes for contender in drawn],
        wishes=[swiss_seat_wish(contender.sat, seats) for contender in drawn],
        limits=[swiss_seat_wish(contender.sat, seats, apart=2) for contender in drawn],
        seats=seats,
        repeat=repeat,
        short_seat=short_seat,
        apart=_each_other(forbidden if late else [*forbidden, *kin], number),
        bar=repeat * (1 + len(drawn) * seats * most_met**2),
        kin=related,
        kin_gap=kin_gap,
    )


def _each_other(groups: Collection[frozenset[int]], number: Mapping[int, int]) -> list[set[int]]:
    """Return, for each player, the other members of all groups in which the player is."""
    others: list[set[int]] = [set() for _ in number]
    for group in groups:
        there = [number[entrant] for entrant in group if entrant in number]
        for player in there:
            others[player].update(other for other in there if other != player)
    return others
