"""The round robin as tournaments know it."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tournaments.formats.format import Format, Plan
from tournaments.formats.position import Drawn, DrawnRound, DrawnTable, DrawPosition, Over, StageFacts
from tournaments.formats.round_robin.pairing import round_robin
from tournaments.formats.schedule import EntrantsError
from tournaments.formats.terms import StageTerms


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

    def position(self, terms: StageTerms, known: StageFacts) -> DrawPosition:
        if known.drawn:
            return Over()
        return RoundRobin(tuple(known.present), terms.players_per_table, known.luck)


@lru_cache(maxsize=256)
def _shape(entries: int, seats: int) -> tuple[int, int, range] | None:
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
