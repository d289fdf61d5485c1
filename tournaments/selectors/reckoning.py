"""What the tie-breaks of one entry are made of: its opponents, and what became of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournaments.models import Entry, Fixture, Stage
from tournaments.selectors.results import field_of, standings_of
from tournaments.standings import Field, Row, Tally, TieBreak, Value
from tournaments.standings.tie_breaks import strength


@dataclass(frozen=True, slots=True)
class Opponent:
    """``made``: 1 if the entry beat it there, 0.5 if they were level; ``ended``: the points it has itself."""

    entry: Entry
    made: float
    ended: float


@dataclass(frozen=True, slots=True)
class Sat:
    """A match of the entry; ``gained``: the points it gave; ``strength``: what its opponents count for Buchholz."""

    round: int
    match_id: int
    opponents: tuple[Opponent, ...]
    gained: float
    strength: float


@dataclass(frozen=True, slots=True)
class Reckoning:
    """``values``: of every announced tie-break, needed or not; None for one that only a tied group has."""

    stage: Stage
    row: Row
    tables: tuple[Sat, ...]
    values: tuple[tuple[TieBreak, Value | None], ...]


def reckoning_of(
    stage: Stage, entry: Entry, tie_breaks: Sequence[TieBreak], entries: Mapping[int, Entry]
) -> Reckoning | None:
    """None if ``entry`` takes no part in the stage."""
    row = next((row for row in standings_of(stage) if row.entrant == entry.pk), None)
    field = field_of(stage)
    tally = field.tallies.get(entry.pk)
    if row is None or tally is None:
        return None
    return Reckoning(
        stage=stage,
        row=row,
        tables=_tables(tally, field, entries),
        values=tuple((one, row.values.get(one.code, _alone(one, tally, field))) for one in tie_breaks),
    )


def _tables(tally: Tally, field: Field, entries: Mapping[int, Entry]) -> tuple[Sat, ...]:
    rounds = dict(Fixture.objects.filter(match__in=tally.matches).values_list("match", "round__number"))
    meetings = iter(tally.meetings)
    sat = [
        Sat(
            round=rounds[match],
            match_id=match,
            opponents=tuple(
                Opponent(entries[opponent], next(meetings).points, field.tallies[opponent].points) for opponent in table
            ),
            gained=float(gained),
            strength=float(strength(table, field)),
        )
        for match, table, gained in zip(tally.matches, tally.tables, tally.gains, strict=True)
    ]
    return tuple(sorted(sat, key=lambda one: one.round))


def _alone(tie_break: TieBreak, tally: Tally, field: Field) -> Value | None:
    values = tie_break.worth([tally], field)
    return None if values is None else values[tally.entrant]
