"""The cost of sitting together: what the search for the tables of a Swiss round makes small."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tournaments.formats.contenders import Contender

Tables: TypeAlias = list[list[int]]  # players by their number in the field


@dataclass(frozen=True, slots=True)
class Field:
    """The players of a round, numbered from the best score down; equal scores are in the order of their lots.

    A pair costs the square of its score gap, and ``repeat`` times the square of its meetings so far, which outweighs
    all gaps of a round together: no gap is worth a rematch. A seat at a short table costs ``short_seat`` times the
    square of the short tables sat at before.
    """

    scores: Sequence[float]
    met: Sequence[Mapping[int, int]]
    short: Sequence[int]
    byes: Sequence[int]
    seats: int
    repeat: float
    short_seat: float

    def cost(self, player: int, others: Iterable[int], short: bool) -> float:
        """What ``player`` costs at a table with ``others``."""
        met, score = self.met[player], self.scores[player]
        total = self.short_seat * self.short[player] ** 2 if short else 0.0
        for other in others:
            gap = score - self.scores[other]
            total += gap * gap
            if other in met:
                total += self.repeat * met[other] ** 2
        return total

    def total(self, tables: Tables) -> float:
        """What a whole round costs."""
        return sum(
            self.cost(player, table[place + 1 :], len(table) < self.seats)
            for table in tables
            for place, player in enumerate(table)
        )

    def rematches(self, table: Sequence[int]) -> list[tuple[int, int]]:
        """The pairs of a table that have met before."""
        return [
            (one, other) for place, one in enumerate(table) for other in table[place + 1 :] if other in self.met[one]
        ]


def field_of(drawn: Sequence[Contender], seats: int) -> Field:
    """``drawn`` must be in order: the highest score first."""
    number = {contender.entrant: player for player, contender in enumerate(drawn)}
    scores = [contender.score for contender in drawn]
    spread = (scores[0] - scores[-1]) ** 2
    short_seat = float((2 * (seats - 1)) ** 2)  # as a gap of two tables won
    most_short = max(contender.short for contender in drawn) ** 2
    return Field(
        scores=scores,
        met=[{number[one]: times for one, times in c.met.items() if one in number} for c in drawn],
        short=[contender.short for contender in drawn],
        byes=[contender.byes for contender in drawn],
        seats=seats,
        repeat=1 + len(drawn) * (seats * spread + short_seat * most_short),
        short_seat=short_seat,
    )
