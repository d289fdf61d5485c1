"""Standings before and after a ruling, side by side."""

from collections.abc import Mapping
from dataclasses import dataclass

from tournaments.models import Entry
from tournaments.selectors.rounds.stage_facts import Redraw
from tournaments.selectors.rulings.ruling_drafts import Change
from tournaments.standings import Row


@dataclass(frozen=True, slots=True)
class Moved:
    """An entry's row before and after; ``after`` is None where the stage restarts."""

    entry: Entry
    before: Row
    after: Row | None

    @property
    def up(self) -> int:
        """Ranks gained; below 0: lost."""
        return self.before.rank - self.after.rank if self.after else 0

    @property
    def down(self) -> int:
        return -self.up


def moved(change: Change, entries: Mapping[int, Entry]) -> list[Moved]:
    """Return the entries whose row changes, in the order in which they would stand."""
    before = {row.entrant: row for row in change.before}
    after = {row.entrant: row for row in change.after}
    order = change.after or change.before
    return [
        Moved(entries[row.entrant], before[row.entrant], after.get(row.entrant))
        for row in order
        if change.restarts or _label(before[row.entrant]) != _label(after[row.entrant])
    ]


def _label(row: Row) -> tuple[object, ...]:
    """Return what a reader of the standings would see change."""
    counted = row.played, row.byes, row.won, row.drawn, row.lost, row.game_points
    return row.rank, row.points, row.disqualified, *counted


@dataclass(frozen=True, slots=True)
class TableMoved:
    """A table of a round that is drawn again, before and after; nobody where there is none."""

    table: int
    before: tuple[Entry, ...]
    after: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Redrawn:
    """The tables and byes of a round that change. ``stay``: how many tables do not."""

    round: int
    tables: tuple[TableMoved, ...]
    byes_before: tuple[Entry, ...]
    byes_after: tuple[Entry, ...]
    stay: int


def redrawn(redraw: Redraw, entries: Mapping[int, Entry]) -> Redrawn:
    """Return what a round drawn again changes, for people."""
    before, after = (dict(enumerate(one.tables, start=1)) for one in (redraw.before, redraw.after))
    sitting = {
        table: tuple(tuple(entries[entry] for entry in one.get(table, ((), None))[0]) for one in (before, after))
        for table in sorted(before.keys() | after.keys())
    }
    idle, then = (tuple(entries[entry] for entry, _, _ in one.byes) for one in (redraw.before, redraw.after))
    return Redrawn(
        round=redraw.played.number,
        tables=tuple(TableMoved(table, *both) for table, both in sitting.items() if both[0] != both[1]),
        byes_before=idle if idle != then else (),
        byes_after=then if idle != then else (),
        stay=sum(one == other for one, other in sitting.values()),
    )
