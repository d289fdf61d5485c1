"""The round robin as tournaments know it, and the play-off, in which those who are level for first meet once more."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tournaments.formats.format import Format, Plan
from tournaments.formats.position import Drawn, DrawnRound, DrawnTable, DrawPosition, Over, StageFacts, StageTerms
from tournaments.formats.round_robin.pairing import round_robin
from tournaments.formats.seating import EntrantsError
from tournaments.standings import Row, level_for_first

LARGE_TABLES_MOST: Final = 100  # bots at tables larger than two: what a search of a second draws


@dataclass(frozen=True, slots=True)
class RoundRobin(DrawPosition):
    """Before its first round; all are drawn at once."""

    entries: tuple[int, ...]
    seats: int
    secret: bytes

    def draw(self) -> Drawn:
        schedule = round_robin(self.entries, self.seats, self.secret)
        return [DrawnRound([DrawnTable(table) for table in tables]) for tables in schedule.rounds]


class RoundRobinFormat(Format):
    """Every bot meets every other equally often."""

    def plan(self, terms: StageTerms, entries: int) -> Plan | None:
        shape = _shape(entries, terms.players_per_table)
        if shape is None:
            return None
        rounds, matches, met = shape
        return Plan(rounds, matches, matches * terms.blocks * terms.players_per_table, met.start, met.stop - 1)

    def drawn_most(self, terms: StageTerms) -> int | None:
        return None if terms.players_per_table == 2 else LARGE_TABLES_MOST

    def position(self, terms: StageTerms, known: StageFacts) -> DrawPosition:
        if known.drawn:
            return Over()
        return RoundRobin(tuple(known.present), terms.players_per_table, known.luck)


def _shape(entries: int, seats: int) -> tuple[int, int, range] | None:
    """Return how many rounds and matches there are, and how often two meet. Of tables larger than two, for more than
    can be drawn: the fewest matches in which all could meet, since how many rounds they take is found by drawing.
    """
    if entries < seats:
        return None
    if seats == 2:
        return entries - 1 + entries % 2, entries * (entries - 1) // 2, range(1, 2)
    if entries > LARGE_TABLES_MOST:
        matches = -(-entries * (entries - 1) // (seats * (seats - 1)))
        return -(-matches // (entries // seats)), matches, range(1, 2)
    return _drawn(entries, seats)


@lru_cache(maxsize=256)
def _drawn(entries: int, seats: int) -> tuple[int, int, range] | None:
    try:
        schedule = round_robin(range(entries), seats, b"any")
    except EntrantsError:
        return None
    return len(schedule.rounds), sum(map(len, schedule.rounds)), schedule.meetings(range(entries))


ROUND_ROBIN: Final = RoundRobinFormat(
    code="round_robin",
    label="Round robin",
    summary="Every bot meets every other equally often.",
    family="round_robin",
    has_crosstable=True,
)


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
