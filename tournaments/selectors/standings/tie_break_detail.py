"""What the tie-breaks of one entry are made of: its opponents, and what became of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournaments.models import Entry, Stage
from tournaments.selectors.standings.results import field_of, standings_of
from tournaments.standings import Row, ScoreRecord, TieBreak, TieBreakField, Value
from tournaments.standings.tie_breaks import cut_1
from tournaments.standings.unplayed import Was


@dataclass(frozen=True, slots=True)
class TieBreakOpponent:
    """``made``: 1 if the entry beat it there, 0.5 if they were level; ``ended``: the points it has itself; ``counted``:
    those that count for tie-breaks."""

    entry: Entry
    made: float
    ended: float
    counted: float


@dataclass(frozen=True, slots=True)
class Sat:
    """A round of the entry, whatever it was; ``gained``: the points it gave; ``strength``: what it counts for Buchholz;
    ``cut``: whether it is the one that Buchholz cut 1 leaves out."""

    round: int
    was: Was
    match_id: int | None
    opponents: tuple[TieBreakOpponent, ...]
    gained: float
    strength: float
    cut: bool


@dataclass(frozen=True, slots=True)
class TieBreakCalculation:
    """``values``: of every announced tie-break, needed or not; None for one that only a tied group has."""

    stage: Stage
    row: Row
    tables: tuple[Sat, ...]
    values: tuple[tuple[TieBreak, Value | None], ...]

    @property
    def by_fide(self) -> bool:
        return self.stage.has_fide_tie_breaks


def calculation_of(
    stage: Stage, entry: Entry, tie_breaks: Sequence[TieBreak], entries: Mapping[int, Entry]
) -> TieBreakCalculation | None:
    """Return how the tie-breaks of ``entry`` come about; None if it takes no part in the stage."""
    row = next((row for row in standings_of(stage) if row.entrant == entry.pk), None)
    field = field_of(stage)
    tally = field.tallies.get(entry.pk)
    if row is None or tally is None:
        return None
    return TieBreakCalculation(
        stage=stage,
        row=row,
        tables=_tables(tally, field, entries),
        values=tuple((one, row.values.get(one.code, _alone(one, tally, field))) for one in tie_breaks),
    )


def _tables(tally: ScoreRecord, field: TieBreakField, entries: Mapping[int, Entry]) -> tuple[Sat, ...]:
    meetings = iter(tally.meetings)
    at_tables = {
        number: (match, tuple(_opponent(entries, one, next(meetings).points, field) for one in table))
        for number, match, table in zip(tally.rounds, tally.matches, tally.tables, strict=True)
    }
    rounds = field.rounds(tally)
    kept = {one.round for one in cut_1(rounds)}
    sat = []
    for one in rounds:
        match, opponents = at_tables.get(one.round, (None, ()))
        gained, strength = float(one.points), float(one.strength)
        sat.append(Sat(one.round, one.was, match, opponents, gained, strength, one.round not in kept))
    return tuple(sat)


def _opponent(entries: Mapping[int, Entry], entry: int, made: float, field: TieBreakField) -> TieBreakOpponent:
    tally = field.tallies[entry]
    counted = tally.exact if field.course is None else field.counted(entry)
    return TieBreakOpponent(entries[entry], made, tally.points, float(counted))


def _alone(tie_break: TieBreak, tally: ScoreRecord, field: TieBreakField) -> Value | None:
    values = tie_break.worth([tally], field)
    return None if values is None else values[tally.entrant]
