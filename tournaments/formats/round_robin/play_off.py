"""The play-off: those who are level for first meet once more."""

from collections.abc import Collection, Sequence
from typing import Final

from tournaments.formats.format import Plan
from tournaments.formats.position import DrawPosition, Over, StageFacts, StageTerms
from tournaments.formats.round_robin.format import RoundRobin, RoundRobinFormat
from tournaments.standings import Row, level_for_first


class PlayOffFormat(RoundRobinFormat):
    """One table of all of them if it has the seats, otherwise a round robin. No stage of it is announced: it follows
    from the tie-break of the same name, see ``tournaments.play_off``."""

    @property
    def is_offered(self) -> bool:
        return False

    def plan(self, terms: StageTerms, entries: int) -> Plan | None:
        """Return nothing: nobody knows before who will be level."""
        return None

    def smallest_field(self, terms: StageTerms) -> int:
        return terms.smallest_table

    def position(self, terms: StageTerms, known: StageFacts) -> DrawPosition:
        if known.drawn:
            return Over()
        seats = max(terms.smallest_table, min(terms.players_per_table, len(known.present)))
        return RoundRobin(tuple(known.present), seats, known.luck)

    def matches_each(self, terms: StageTerms, rounds: int, tables: int, entrants: int, byes: int) -> int | None:
        return tables * min(terms.players_per_table, entrants) // entrants

    def going_on(self, terms: StageTerms, rows: Sequence[Row], there: Collection[int]) -> list[int]:
        return [entrant for entrant in level_for_first(rows) if entrant in there]


PLAY_OFF_FORMAT: Final = PlayOffFormat(
    code="play_off",
    label="Play-off",
    summary="Those who are level for first meet once more.",
    family="round_robin",
    has_crosstable=True,
    is_play_off=True,
)
