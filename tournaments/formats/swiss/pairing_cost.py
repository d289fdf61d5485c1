"""The cost of sitting together: what the search for the tables of a Swiss round makes small."""

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TypeAlias

from tournaments.formats.contenders import RankedEntrant
from tournaments.formats.swiss.seat_history import Wish, wish

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
        wishes=[wish(contender.sat, seats) for contender in drawn],
        limits=[wish(contender.sat, seats, apart=2) for contender in drawn],
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
