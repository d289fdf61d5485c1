"""What changes of a bracket when results change: who goes on from which match, and who meets there then."""

from dataclasses import dataclass

from tournaments.formats.knockout.bracket import Bracket, BracketMatch
from tournaments.formats.knockout.heats import Heat, Heats
from tournaments.formats.knockout.plan import BracketSlot, Part


@dataclass(frozen=True, slots=True)
class BoutChange:
    """A match of a knockout as it becomes. ``instead``: who went on from it before; nobody if it was not decided.
    ``last``: who goes on from it wins what is played for, and plays no more."""

    bout: BracketMatch | Heat
    instead: tuple[int, ...]
    last: bool

    @property
    def goes_on(self) -> tuple[int, ...]:
        return self.bout.goes_on

    @property
    def same(self) -> bool:
        return set(self.goes_on) == set(self.instead)

    @property
    def meet(self) -> tuple[int, ...]:
        """Who meet in a match that is still to be drawn; nobody if it is drawn, or decided."""
        return () if self.bout.drawn or self.bout.decided else self.bout.seating


def bouts_changed(
    before: Bracket | Heats, after: Bracket | Heats, ruled: BracketSlot | None = None
) -> tuple[BoutChange, ...]:
    """Return, in the order of play, the matches from which others go on or for another reason, those that were drawn
    and are to be decided, those to be drawn in which others meet, and the one that is ``ruled`` on."""
    was = {bout.place: bout for bout in before.bouts if not bout.empty}
    double = any(bout.place.part is Part.FINAL for bout in before.bouts)
    return tuple(
        BoutChange(bout, then.goes_on if (then := was.get(bout.place)) else (), is_last(bout, double))
        for bout in after.bouts
        if not bout.empty and (bout.place == ruled or _differs(was.get(bout.place), bout))
    )


def _differs(before: BracketMatch | Heat | None, after: BracketMatch | Heat) -> bool:
    if after.decided or after.drawn:
        was = (set(before.goes_on), before.by) if before else (set(), None)
        return (set(after.goes_on), after.by) != was
    known = isinstance(after, Heat) or len(after.seating) == 2
    return known and (before is None or before.drawn or set(before.seating) != set(after.seating))


def is_last(bout: BracketMatch | Heat, double: bool) -> bool:
    """Tell whether who goes on from ``bout`` wins what is played for, and plays no more."""
    if isinstance(bout, Heat):
        return bout.place.of == 1 and not bout.passing
    return bout.place.part is Part.FINAL or (bout.place.of == 1 and not double)
