"""Who has white in a pair: article 5 of FIDE's Dutch system (C.04.3), by the colours that each has had.

The rules of 2026 did not change it. Rounds that were not played are left out of a player's colours, which then count
back from the last (C.04.2).
"""

from dataclasses import dataclass
from enum import IntEnum

from tournaments.trf import Colour


class Strength(IntEnum):
    """Of a colour preference (article 1.7)."""

    NONE = 0
    MILD = 1
    STRONG = 2
    ABSOLUTE = 3


@dataclass(frozen=True, slots=True)
class ColourRank:
    """A player before the round: pairing ``number`` from 1, ``points``, and its ``colours`` in the games it played."""

    number: int
    points: float
    colours: tuple[Colour, ...]

    @property
    def difference(self) -> int:
        """Whites less blacks."""
        return self.colours.count(Colour.WHITE) - self.colours.count(Colour.BLACK)

    @property
    def preference(self) -> tuple[Colour, Strength]:
        """The colour it should have, and how much."""
        if not self.colours:
            return Colour.NONE, Strength.NONE
        last, difference = self.colours[-1], self.difference
        if abs(difference) > 1:
            return _less(difference), Strength.ABSOLUTE
        if self.colours[-2:] == (last, last):
            return _other(last), Strength.ABSOLUTE
        if difference:
            return _less(difference), Strength.STRONG
        return _other(last), Strength.MILD


def seated(one: ColourRank, other: ColourRank, initial: Colour) -> tuple[ColourRank, ColourRank]:
    """Return the two with white first; ``initial``: the colour that was drawn for odd pairing numbers."""
    higher, lower = sorted((one, other), key=lambda player: (-player.points, player.number))
    return (higher, lower) if _of_the_higher(higher, lower, initial) is Colour.WHITE else (lower, higher)


def _of_the_higher(higher: ColourRank, lower: ColourRank, initial: Colour) -> Colour:
    mine, my_strength = higher.preference
    theirs, their_strength = lower.preference
    if Colour.NONE not in (mine, theirs) and mine is not theirs:
        return mine  # 5.2.1: both preferences
    if my_strength is not their_strength:
        return mine if my_strength > their_strength else _other(theirs)  # 5.2.2: the stronger one
    if my_strength is Strength.ABSOLUTE and abs(higher.difference) != abs(lower.difference):
        return mine if abs(higher.difference) > abs(lower.difference) else _other(theirs)  # 5.2.2: the wider difference
    for before, between in zip(reversed(higher.colours), reversed(lower.colours), strict=False):
        if before is not between:
            return _other(before)  # 5.2.3: the other way round than the last time their colours differed
    if mine is not Colour.NONE:
        return mine  # 5.2.4: the higher ranked one's preference
    return initial if higher.number % 2 else _other(initial)  # 5.2.5


def _less(difference: int) -> Colour:
    return Colour.BLACK if difference > 0 else Colour.WHITE


def _other(colour: Colour) -> Colour:
    return Colour.BLACK if colour is Colour.WHITE else Colour.WHITE
