"""Explain the order of the standings, from the same rows that are shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournaments.models import Entry
from tournaments.standings import DISQUALIFIED, POINTS, SHARED, Row, TieBreak, Value


@dataclass(frozen=True, slots=True)
class TieBreakStep:
    """One criterion between two neighbours. ``tied`` are those it was applied to; it ``applies`` unless not all of them
    have met equally often. No tie-break stands for the points."""

    tie_break: TieBreak | None
    mine: Value | None
    theirs: Value | None
    tied: tuple[Entry, ...]
    applies: bool
    decides: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """The steps that put ``upper`` above ``lower``; the last one decides. None where the lower one is disqualified."""

    rank: int
    upper: Entry
    lower: Entry
    steps: tuple[TieBreakStep, ...]

    @property
    def is_shared(self) -> bool:
        """Nothing puts one above the other."""
        last = self.steps[-1].tie_break if self.steps else None
        return last is not None and last.code == SHARED

    @property
    def both(self) -> tuple[Entry, Entry]:
        return self.upper, self.lower


def comparison(upper: Row, lower: Row, tie_breaks: Sequence[TieBreak], entries: Mapping[int, Entry]) -> Comparison:
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
