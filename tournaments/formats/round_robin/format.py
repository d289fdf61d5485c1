"""The round robin as tournaments know it."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tournaments.formats.format import Format, Plan
from tournaments.formats.position import Drawn, DrawnRound, DrawnTable, DrawPosition, Over, StageFacts, StageTerms
from tournaments.formats.round_robin.pairing import round_robin
from tournaments.formats.seating import EntrantsError

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
