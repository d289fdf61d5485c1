"""The site's own Swiss format, for tables of any size."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tournaments.formats.draw_position import (
    Drawn,
    DrawPosition,
    Over,
    StageFacts,
    StageTerms,
    drawn_round_from_pairings,
)
from tournaments.formats.format import SOME_MEET, Format, Plan, Reasons
from tournaments.formats.pairings import PairedTable, RankedEntrant
from tournaments.formats.seating import seating_table_sizes
from tournaments.formats.swiss.pairing import swiss_round


@dataclass(frozen=True, slots=True)
class Swiss(DrawPosition):
    players: Sequence[RankedEntrant]
    seats: int
    smallest: int
    secret: bytes
    number: int
    apart: Collection[frozenset[int]]
    kin: Collection[frozenset[int]] = ()
    late: bool = False

    def draw(self) -> Drawn:
        apart = self.apart, self.kin
        drawn = swiss_round(self.players, self.seats, self.smallest, self.secret, self.number, *apart, late=self.late)
        return [drawn_round_from_pairings(drawn)]


class DrawnByStandings(Format):
    """A format with an announced number of rounds. Each round is drawn from the points, and stored with its reasons."""

    def plan(self, terms: StageTerms, entries: int) -> Plan | None:
        sizes = seating_table_sizes(entries, terms.players_per_table, terms.smallest_table)
        if sizes is None:
            return None
        games = terms.rounds * sum(sizes.tables) * terms.blocks
        return Plan(terms.rounds, terms.rounds * len(sizes.tables), games, byes=sizes.byes)

    def position(self, terms: StageTerms, known: StageFacts) -> DrawPosition:
        return Over() if known.drawn >= terms.rounds else self.next_of(terms, known)

    def next_of(self, terms: StageTerms, known: StageFacts) -> DrawPosition:
        """Return the position from which the next round is drawn. Call it only if there is a next round."""
        return swiss_position(terms, known)

    def reasons(self, data: Mapping[str, Any]) -> Reasons | None:
        return PairedTable.read(data)

    def matches_each(self, terms: StageTerms, rounds: int, tables: int, entrants: int, byes: int) -> int | None:
        return rounds - byes


def swiss_position(terms: StageTerms, known: StageFacts) -> Swiss:
    """Return the position from which the site's own Swiss draws a round."""
    return Swiss(
        *(known.contenders(), terms.players_per_table, terms.smallest_table, known.luck, known.next_round),
        *(known.apart, known.kin, is_late_swiss_round(terms, known.drawn)),
    )


def is_late_swiss_round(terms: StageTerms, drawn: int) -> bool:
    """Return whether the round after ``drawn`` rounds is in the last third of the announced rounds.

    There, points have priority over groups that are kept apart.
    """
    return 3 * (drawn + 1) > 2 * terms.rounds


SWISS: Final = DrawnByStandings(
    code="swiss",
    label="Swiss",
    summary="Each round pairs bots with equal points; nobody meets the same bot twice if that can be avoided.",
    family="swiss",
    tie_breaks=SOME_MEET,
    takes_rounds=True,
    fills_up=True,
    draws_one_by_one=True,
    draws_by_standings=True,
)
