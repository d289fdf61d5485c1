"""Explain tie-breaks: why one entry is ranked above another, and how each value was calculated."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournaments.models import Entry, Stage, Tournament
from tournaments.selectors.standings.ranking import standings_snapshot, standings_tie_break_field_of
from tournaments.standings import (
    DISQUALIFIED,
    POINTS,
    SHARED,
    TIE_BREAKS,
    Row,
    ScoreRecord,
    TieBreak,
    TieBreakField,
    Value,
)
from tournaments.standings.tie_breaks import tie_break_cut_1
from tournaments.standings.unplayed import Was


@dataclass(frozen=True, slots=True)
class TieBreakStep:
    """One criterion by which two neighbours in the standings are compared.

    ``tie_break`` is None if the criterion is the points. ``tied`` are the entries to which the tie-break was applied.
    ``applies`` is False if the tie-break has no value for them, e.g. because not all of them have met equally often.
    """

    tie_break: TieBreak | None
    mine: Value | None
    theirs: Value | None
    tied: tuple[Entry, ...]
    applies: bool
    decides: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """The steps that rank ``upper`` above ``lower``. The last step decides.

    There are no steps if ``lower`` is disqualified.
    """

    rank: int
    upper: Entry
    lower: Entry
    steps: tuple[TieBreakStep, ...]

    @property
    def is_shared(self) -> bool:
        """Whether both share the rank, because no criterion separates them."""
        last = self.steps[-1].tie_break if self.steps else None
        return last is not None and last.code == SHARED

    @property
    def both(self) -> tuple[Entry, Entry]:
        return self.upper, self.lower


def tie_break_comparison_of(
    upper: Row, lower: Row, tie_breaks: Sequence[TieBreak], entries: Mapping[int, Entry]
) -> Comparison:
    """Return how two neighbours in the standings compare."""
    steps = _steps(upper, lower, tie_breaks, entries)
    return Comparison(upper.rank, entries[upper.entrant], entries[lower.entrant], steps)


def _steps(
    upper: Row, lower: Row, tie_breaks: Sequence[TieBreak], entries: Mapping[int, Entry]
) -> tuple[TieBreakStep, ...]:
    if upper.above_next_by == DISQUALIFIED:
        return ()
    steps = [TieBreakStep(None, upper.points, lower.points, (), True, upper.above_next_by == POINTS)]
    for one in tie_breaks:
        if steps[-1].decides:
            break
        steps.append(
            TieBreakStep(
                tie_break=one,
                mine=upper.values.get(one.code),
                theirs=lower.values.get(one.code),
                tied=tuple(entries[entrant] for entrant in upper.tied_with.get(one.code, ())),
                applies=one.code in upper.values,
                decides=upper.above_next_by == one.code,
            )
        )
    return tuple(steps)


@dataclass(frozen=True, slots=True)
class TieBreakOpponent:
    """An opponent of the entry in a round.

    ``made`` is 1 if the entry beat the opponent, 0.5 for a draw, and 0 if it lost. ``ended`` is the opponent's number
    of points in the standings. ``counted`` is the opponent's number of points that counts for tie-breaks.
    """

    entry: Entry
    made: float
    ended: float
    counted: float


@dataclass(frozen=True, slots=True)
class Sat:
    """A round of the entry, played or not.

    ``gained`` is the number of points that the round gave. ``strength`` is what the round contributes to Buchholz.
    ``cut`` tells whether Buchholz cut 1 leaves the round out, if this tie-break is announced.
    """

    round: int
    was: Was
    match_id: int | None
    opponents: tuple[TieBreakOpponent, ...]
    gained: float
    strength: float
    cut: bool


@dataclass(frozen=True, slots=True)
class TieBreakCalculation:
    """The tie-breaks of an entry and the rounds behind them.

    ``values`` has the values of all announced tie-breaks, including those that were not needed. Some tie-breaks have
    values only for tied entries; otherwise the value is None.
    """

    stage: Stage
    row: Row
    tables: tuple[Sat, ...]
    values: tuple[tuple[TieBreak, Value | None], ...]

    @property
    def by_fide(self) -> bool:
        return self.stage.has_fide_tie_breaks


def tie_break_calculation_of(
    stage: Stage, entry: Entry, tie_breaks: Sequence[TieBreak], entries: Mapping[int, Entry]
) -> TieBreakCalculation | None:
    """Return how the tie-breaks of ``entry`` are calculated; None if it does not take part in the stage.

    The rank, and the values that only tied entries have, are read from the snapshot.
    """
    row = next((row for row in standings_snapshot(stage).value if row.entrant == entry.pk), None)
    field = standings_tie_break_field_of(stage)
    tally = field.tallies.get(entry.pk)
    if row is None or tally is None:
        return None
    return TieBreakCalculation(
        stage=stage,
        row=row,
        tables=_tables_sat(tally, field, entries, is_cut=any(one.code == "buchholz_cut_1" for one in tie_breaks)),
        values=tuple((one, _value(one, row, tally, field)) for one in tie_breaks),
    )


def _tables_sat(
    tally: ScoreRecord, field: TieBreakField, entries: Mapping[int, Entry], *, is_cut: bool
) -> tuple[Sat, ...]:
    meetings = iter(tally.meetings)
    at_tables = {
        number: (match, tuple(_opponent(entries, one, next(meetings).points, field) for one in table))
        for number, match, table in zip(tally.rounds, tally.matches, tally.tables, strict=True)
    }
    rounds = field.rounds(tally)
    kept = {one.round for one in (tie_break_cut_1(rounds) if is_cut else rounds)}
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


def _value(tie_break: TieBreak, row: Row, tally: ScoreRecord, field: TieBreakField) -> Value | None:
    values = tie_break.worth([tally], field)
    return row.values.get(tie_break.code) if values is None else values[tally.entrant]


def tournament_tie_breaks_of(tournament: Tournament) -> tuple[TieBreak, ...]:
    """Return the announced tie-breaks; none if all stages are knockouts."""
    return tuple(TIE_BREAKS[code] for code in tournament.tie_breaks if tournament.breaks_ties)
