"""The dice that a turn has set aside, and what may be set aside next.

There are 3003 ways to have up to eight dice aside. Each is made once, when it is first reached, and keeps the ways on
from it: a step inside a turn is a look-up. Identity is equality.
"""

from functools import cache
from typing import Final

from games.chance import FACES

DICE: Final = 8
VALUES: Final = (1, 2, 3, 4, 5, 5)  # of FACES; a worm counts five
ALL_FACES: Final = 63
TAKES: Final = tuple(f"take {face}" for face in FACES)
ROLL, STOP, STEAL, DECLINE = "roll", "stop", "steal", "decline"
ON_OR_STOP: Final = (ROLL, STOP)
STEAL_OR_NOT: Final = (STEAL, DECLINE)


class Aside:
    """Dice set aside of ``dice`` thrown in a turn: ``counts`` of FACES. Made by ``aside`` only."""

    __slots__ = ("_after", "counts", "dice", "full", "left", "rolls", "total", "used", "worm")

    def __init__(self, counts: tuple[int, ...], dice: int) -> None:
        self.counts = counts
        self.dice = dice
        self.total = sum(map(int.__mul__, counts, VALUES))
        self.left = dice - sum(counts)
        self.used = sum(1 << face for face in range(6) if counts[face])  # faces, as a bit mask
        self.rolls = self.used.bit_count()  # rolls made: each set aside one face
        self.worm = bool(counts[5])
        self.full = self.left == 0 or self.used == ALL_FACES  # the turn ends by itself
        self._after: dict[str, dict[int, Aside]] = {take: {} for take in TAKES}

    def take(self, action: str, rolled: str) -> "Aside":
        """Return what is aside after ``action`` has set aside all dice of its face in the text ``rolled``."""
        count = rolled.count(action[-1])
        after = self._after[action].get(count)
        if after is None:
            face = TAKES.index(action)
            counts = (*self.counts[:face], self.counts[face] + count, *self.counts[face + 1 :])
            after = self._after[action][count] = aside(counts, self.dice)
        return after

    def choices(self, rolled: str) -> tuple[str, ...]:
        """Return the actions that the text ``rolled`` allows: one for each face shown that is not aside yet."""
        known = _CHOICES[self.used]
        choices = known.get(rolled)
        if choices is None:
            free = (i for i, face in enumerate(FACES) if face in rolled and not self.used >> i & 1)
            choices = known[rolled] = tuple(TAKES[i] for i in free)
        return choices

    def __repr__(self) -> str:
        return f"aside({self.counts}, {self.dice})"

    def __reduce__(self) -> tuple[object, tuple[tuple[int, ...], int]]:
        return aside, (self.counts, self.dice)


@cache
def _made(counts: tuple[int, ...], dice: int) -> Aside:
    return Aside(counts, dice)


def aside(counts: tuple[int, ...], dice: int = DICE) -> Aside:
    """Return the one ``Aside`` with these counts of so many dice."""
    return _made(counts, dice)


_CHOICES: Final[list[dict[str, tuple[str, ...]]]] = [{} for _ in range(ALL_FACES + 1)]
NOTHING: Final = aside((0,) * 6)
