"""The dice that a turn has set aside, and what may be set aside next.

There are 3003 ways to set aside up to eight dice. Each ``Aside`` is created once, when it is first reached, so a step
inside a turn is a look-up, and equal objects are identical.
"""

from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Final

from games.chance import FACES, Odds, chance_odds, chance_roll_text

DICE: Final = 8
VALUES: Final = (1, 2, 3, 4, 5, 5)  # what each face of FACES counts; a worm counts 5
ALL_FACES: Final = 63
TAKES: Final = tuple(f"take {face}" for face in FACES)
ROLL, STOP, STEAL, DECLINE = "roll", "stop", "steal", "decline"
ON_OR_STOP: Final = (ROLL, STOP)
STEAL_OR_NOT: Final = (STEAL, DECLINE)


class Aside:
    """The dice that are set aside out of ``dice``: ``counts`` of FACES. Only ``aside_of`` creates it."""

    __slots__ = ("_tally", "counts", "dice", "full", "left", "rolls", "total", "used", "worm")

    def __init__(self, tally: int) -> None:
        self._tally = tally
        self.counts = tuple(tally >> 4 * face & 15 for face in range(6))
        self.dice = tally >> 24
        self.total = sum(map(int.__mul__, self.counts, VALUES))
        self.left = self.dice - sum(self.counts)
        self.used = sum(1 << face for face in range(6) if self.counts[face])  # faces, as a bit mask
        self.rolls = self.used.bit_count()  # rolls made: each roll sets aside one face
        self.worm = bool(self.counts[5])
        self.full = self.left == 0 or self.used == ALL_FACES  # then the turn ends by itself

    def take(self, action: str, rolled: str) -> "Aside":
        """Return the dice set aside after ``action`` has added all dice of its face in the text ``rolled``."""
        return _made(self._tally + rolled.count(action[-1]) * _ONE[action])

    def choices(self, rolled: str) -> tuple[str, ...]:
        """Return the actions for the roll ``rolled``: one for each face that is not set aside yet."""
        return _CHOICES[_shown(rolled) & ~self.used]

    def __repr__(self) -> str:
        return f"aside({self.counts}, {self.dice})"

    def __reduce__(self) -> tuple[object, tuple[tuple[int, ...], int]]:
        return aside_of, (self.counts, self.dice)


_made: Final = cache(Aside)  # by tally: four bits for the count of each face, then the number of dice


def aside_of(counts: tuple[int, ...], dice: int = DICE) -> Aside:
    """Return the ``Aside`` with these counts out of ``dice``."""
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
    """Return every roll of ``dice`` dice, in a fixed order."""
    shown = combinations_with_replacement(range(6), dice)
    return tuple(chance_roll_text([faces.count(face) for face in range(6)]) for faces in shown)


def aside_roll_weight(action: str) -> int:
    """Return in how many of the equally likely ordered throws this roll shows."""
    counts = [action.count(face) for face in FACES]
    return factorial(sum(counts)) // prod(map(factorial, counts))


@cache
def aside_rolls_odds(dice: int) -> Odds:
    """Return the probability of each roll of ``dice`` dice."""
    return chance_odds(tuple(map(aside_roll_weight, aside_rolls(dice))))
