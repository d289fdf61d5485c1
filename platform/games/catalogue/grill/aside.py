"""The dice that a turn has set aside, and what may be set aside next.

There are 3003 ways to have up to eight dice aside. Each is made once, when it is first reached: a step inside a turn is
a look-up. Identity is equality.
"""

from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Final

from games.chance import FACES, Odds, chance_odds, chance_roll_text

DICE: Final = 8
VALUES: Final = (1, 2, 3, 4, 5, 5)  # of FACES; a worm counts five
ALL_FACES: Final = 63
TAKES: Final = tuple(f"take {face}" for face in FACES)
ROLL, STOP, STEAL, DECLINE = "roll", "stop", "steal", "decline"
ON_OR_STOP: Final = (ROLL, STOP)
STEAL_OR_NOT: Final = (STEAL, DECLINE)


class Aside:
    """Dice set aside of ``dice`` thrown in a turn: ``counts`` of FACES. Made by ``aside_of`` only."""

    __slots__ = ("_tally", "counts", "dice", "full", "left", "rolls", "total", "used", "worm")

    def __init__(self, tally: int) -> None:
        self._tally = tally
        self.counts = tuple(tally >> 4 * face & 15 for face in range(6))
        self.dice = tally >> 24
        self.total = sum(map(int.__mul__, self.counts, VALUES))
        self.left = self.dice - sum(self.counts)
        self.used = sum(1 << face for face in range(6) if self.counts[face])  # faces, as a bit mask
        self.rolls = self.used.bit_count()  # rolls made: each set aside one face
        self.worm = bool(self.counts[5])
        self.full = self.left == 0 or self.used == ALL_FACES  # the turn ends by itself

    def take(self, action: str, rolled: str) -> "Aside":
        """Return what is aside after ``action`` has set aside all dice of its face in the text ``rolled``."""
        return _made(self._tally + rolled.count(action[-1]) * _ONE[action])

    def choices(self, rolled: str) -> tuple[str, ...]:
        """Return the actions that the text ``rolled`` allows: one for each face shown that is not aside yet."""
        return _CHOICES[_shown(rolled) & ~self.used]

    def __repr__(self) -> str:
        return f"aside({self.counts}, {self.dice})"

    def __reduce__(self) -> tuple[object, tuple[tuple[int, ...], int]]:
        return aside_of, (self.counts, self.dice)


_made: Final = cache(Aside)  # by its tally: four bits for the count of each face, then how many dice are thrown


def aside_of(counts: tuple[int, ...], dice: int = DICE) -> Aside:
    """Return the one ``Aside`` with these counts of so many dice."""
    return _made(sum(count << 4 * face for face, count in enumerate(counts)) + (dice << 24))


@cache
def _shown(rolled: str) -> int:
    """Return the faces in a roll, as a bit mask."""
    return sum(1 << place for place, face in enumerate(FACES) if face in rolled)


_ONE: Final = {take: 1 << 4 * face for face, take in enumerate(TAKES)}
_CHOICES: Final = [
    tuple(take for face, take in enumerate(TAKES) if free >> face & 1) for free in range(ALL_FACES + 1)
]  # by the faces that are shown and free
NOTHING: Final = aside_of((0,) * 6)


@cache
def aside_rolls(dice: int) -> tuple[str, ...]:
    """Return every roll of so many dice, in a fixed order."""
    shown = combinations_with_replacement(range(6), dice)
    return tuple(chance_roll_text([faces.count(face) for face in range(6)]) for faces in shown)


def aside_roll_weight(action: str) -> int:
    """Return how many of the equally likely dice, in order, show this roll."""
    counts = [action.count(face) for face in FACES]
    return factorial(sum(counts)) // prod(map(factorial, counts))


@cache
def aside_rolls_odds(dice: int) -> Odds:
    """Return how likely each roll of so many dice is."""
    return chance_odds(tuple(map(aside_roll_weight, aside_rolls(dice))))
