"""Standings before and after a ruling, side by side."""

from collections.abc import Mapping
from dataclasses import dataclass

from tournaments.models import Entry
from tournaments.selectors.proposals import Change
from tournaments.standings import Row


@dataclass(frozen=True, slots=True)
class Moved:
    """An entry's row before and after; ``after`` is None where the stage begins anew."""

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
    """Every entry, in the order in which they would stand."""
    before = {row.entrant: row for row in change.before}
    after = {row.entrant: row for row in change.after}
    order = change.after or change.before
    return [Moved(entries[row.entrant], before[row.entrant], after.get(row.entrant)) for row in order]
