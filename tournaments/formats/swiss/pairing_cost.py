"""The cost of a table of a Swiss round, and the seats at it, from the meetings and the seats that each player had."""

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from typing import Final, TypeAlias

from tournaments.formats.pairings import RankedEntrant
from tournaments.formats.seating import Seating

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
def seat_wish(sat: tuple[int, ...], seats: int, apart: int = 1) -> Wish:
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


Tables: TypeAlias = list[list[int]]  # players by their number in the field


@dataclass(frozen=True, slots=True)
class Candidates:
    """The players of a round, numbered from the best score down; equal scores are in the order of their lots.

    A pair costs the square of its score gap. A seat at a short table costs ``short_seat`` times the square of the short
    tables sat at before, which outweighs all gaps of a round together; a pair that met ``repeat`` times the square of
    its meetings, which outweighs all of that; and two who are kept ``apart`` cost ``bar``, which outweighs all
    rematches of a round together. Two who are ``kin`` cost ``kin_gap`` more. So no gap is worth a second short table,
    nor either of them a rematch.
    """

    scores: Sequence[float]
    met: Sequence[Mapping[int, int]]
    short: Sequence[int]
    byes: Sequence[int]
    wishes: Sequence[Wish]  # the seats after which each has had all of them equally often, within one
    limits: Sequence[Wish]  # within two
    seats: int
    repeat: float
    short_seat: float
    apart: Sequence[Set[int]]
    bar: float
    kin: Sequence[Set[int]]
    kin_gap: float

    def cost(self, player: int, others: Iterable[int], short: bool) -> float:
        """Return what ``player`` costs at a table with ``others``."""
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
        """Return what a whole round costs."""
        return sum(
            self.cost(player, table[place + 1 :], len(table) < self.seats)
            for table in tables
            for place, player in enumerate(table)
        )

    def meetings(self, player: int, others: Iterable[int]) -> int:
        """Return what rematches at a table with ``others`` cost ``player``, in units of ``repeat``."""
        return sum(self.met[player].get(other, 0) ** 2 for other in others)

    def rematches(self, table: Sequence[int]) -> list[tuple[int, int]]:
        """Return the pairs of a table that have met before."""
        return [
            (one, other) for place, one in enumerate(table) for other in table[place + 1 :] if other in self.met[one]
        ]


def field_of(
    drawn: Sequence[RankedEntrant],
    seats: int,
    forbidden: Collection[frozenset[int]] = (),
    kin: Collection[frozenset[int]] = (),
    *,
    late: bool = False,
) -> Candidates:
    """Return the candidates of ``drawn``, which must be in order: the highest score first. ``forbidden``: entrants to
    be kept apart from each other; ``kin``: the same, but in a ``late`` round only where that costs no more than the
    gap of a win.
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
        wishes=[seat_wish(contender.sat, seats) for contender in drawn],
        limits=[seat_wish(contender.sat, seats, apart=2) for contender in drawn],
        seats=seats,
        repeat=repeat,
        short_seat=short_seat,
        apart=_each_other(forbidden if late else [*forbidden, *kin], number),
        bar=repeat * (1 + len(drawn) * seats * most_met**2),
        kin=related,
        kin_gap=kin_gap,
    )


def _each_other(groups: Collection[frozenset[int]], number: Mapping[int, int]) -> list[set[int]]:
    """Return by player who else is in a group with it."""
    others: list[set[int]] = [set() for _ in number]
    for group in groups:
        there = [number[entrant] for entrant in group if entrant in number]
        for player in there:
            others[player].update(other for other in there if other != player)
    return others
