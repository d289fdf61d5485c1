"""The formats round robin and play-off. In a play-off, the bots that are tied for first place meet once more."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tournaments.formats.draw_position import Drawn, DrawnRound, DrawnTable, DrawPosition, Over, StageFacts, StageTerms
from tournaments.formats.format import Format, Plan
from tournaments.formats.round_robin.pairing import round_robin
from tournaments.formats.seating import EntrantsError
from tournaments.standings import Row, standings_level_for_first

LARGE_TABLES_MOST: Final = 100  # bots at tables larger than two; for so many, the search takes a second


@dataclass(frozen=True, slots=True)
class RoundRobin(DrawPosition):
    """The position before the first round. All rounds are drawn at once."""

    entries: tuple[int, ...]
    seats: int
    secret: bytes

    def draw(self) -> Drawn:
        schedule = round_robin(self.entries, self.seats, self.secret)
        return [DrawnRound([DrawnTable(table) for table in tables]) for tables in schedule.rounds]


class RoundRobinFormat(Format):
    """A format in which all pairs of bots meet equally often, or in which their numbers of meetings differ by one."""

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
    """Return the numbers of rounds and matches, and how often two bots meet; None if the entries are too few.

    If there are too many entries to draw at tables larger than two, this is an estimate: the smallest number of matches
    in which all pairs could meet. Only a draw would give the true numbers.
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
    """A play-off: one table for all bots if the game has enough seats, otherwise a round robin.

    It is never announced as a stage. A tournament has it if "play_off" is one of its tie-breaks, see
    ``tournaments.play_off``.
    """

    @property
    def is_offered(self) -> bool:
        return False

    def plan(self, terms: StageTerms, entries: int) -> Plan | None:
        """Return None, because nobody knows in advance how many bots will be tied."""
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
        return [entrant for entrant in standings_level_for_first(rows) if entrant in there]


PLAY_OFF_FORMAT: Final = PlayOffFormat(
    code="play_off",
    label="Play-off",
    summary="Bots that are tied for first place meet once more.",
    family="round_robin",
    has_crosstable=True,
    is_play_off=True,
)
