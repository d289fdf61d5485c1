"""Requests for chance: dice, cards and picks. The key of a draw says what the draw is for, not when it happened.

So two games with the same seed give a seat the same luck, whatever the others do: the fourth die of the second roll of
seat 1's third turn is the same die in both. A request says what to draw. The answer is computed from a function that
maps a key to 64 uniformly distributed bytes (see ``games.dealer``). So a program in any language can reproduce the
draws.
"""

from collections import Counter
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Final, NamedTuple, Protocol

from games.from_fields import from_fields


class _Odds(NamedTuple):
    codes: tuple[int, ...]
    probabilities: tuple[float, ...]


class Odds(_Odds):
    """Chance outcomes and their probabilities. ``codes`` are indexes into ``State.actions()``; ``probabilities`` sum to
    1.
    """

    @cached_property
    def pairs(self) -> tuple[tuple[int, float], ...]:
        """Each code with its probability."""
        return tuple(zip(*self, strict=True))


NONE: Final = Odds((), ())


@lru_cache(maxsize=1 << 12)
def chance_odds(weights: tuple[int, ...]) -> Odds:
    """Return the odds of actions with these weights (see ``State.weight``).

    >>> chance_odds((1, 2, 1)).pairs
    ((0, 0.25), (1, 0.5), (2, 0.25))
    """
    whole = sum(weights)
    return Odds(tuple(range(len(weights))), tuple([weight / whole for weight in weights]))


FACES: Final = "12345W"
ROLLS_A_BLOCK: Final = 4
SLOTS: Final = 16  # a roll has at most 15 dice
EVEN: Final = 252  # bytes below this value are uniform over six faces


class ChanceSource(Protocol):
    """A source of uniform bytes: the same key gives the same 64 bytes."""

    def block(self, key: str) -> bytes: ...


class Chance(Protocol):
    """A request to the dealer. It is hashable; the answer is the text of a chance action."""

    def draw(self, luck: ChanceSource) -> str: ...


@dataclass(frozen=True, slots=True)
class Dice:
    """The dice of Pickomino and Heckmeck: ``number`` dice with the faces 1 to 5 and W, thrown by ``seat``.

    Turns and rolls count from 0.

    Slot s of roll r is the byte at index ``16 * (r % 4) + s`` of the block ``dice/<seat>/<turn>/<r // 4>/<attempt>``. A
    byte of the value b shows face ``FACES[b % 6]``. A value of 252 (EVEN) or more is rejected, so that all faces are
    equally likely, and the same byte of the next attempt (0, 1, 2, ...) is read instead. The text has the faces in
    order: ``roll 1 1 3 4 W W``.
    """

    seat: int
    turn: int
    roll: int
    number: int
    _first: str = field(init=False, repr=False, compare=False)  # the block of attempt 0
    _slots: slice = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        page, row = divmod(self.roll, ROLLS_A_BLOCK)
        object.__setattr__(self, "_first", f"dice/{self.seat}/{self.turn}/{page}/0")
        object.__setattr__(self, "_slots", slice(row * SLOTS, row * SLOTS + self.number))

    def draw(self, luck: ChanceSource) -> str:
        dice = luck.block(self._first)[self._slots]
        tally = 0
        for die in dice:  # for so few dice, faster than sum() over map()
            tally += _WEIGHTS[die]
        if tally >= _REJECTED:
            for slot, die in enumerate(dice, self._slots.start):
                if die >= EVEN:
                    tally += _WEIGHTS[chance_even(luck, self._first.removesuffix("/0"), slot, 6)] - _REJECTED
        return _TEXTS.get(tally) or _new_text(tally)


dice: Final = lru_cache(maxsize=1 << 12)(Dice)  # all games request the same dice


class Roll(NamedTuple):
    """A roll of ``number`` dice (at most 64) with faces from 1 to ``sides`` (at most 256): ``roll <face> ...``.

    The faces are in ascending order.

    ``key`` says what the roll is for: e.g. ``1/4`` for the roll of seat 1 in its turn 4, or ``4`` for a roll that all
    seats share. Die d is byte d of the blocks ``roll/<key>/<attempt>`` (see ``chance_even``).
    """

    key: str
    number: int = 1
    sides: int = 6

    def draw(self, luck: ChanceSource) -> str:
        faces = sorted(chance_even(luck, f"roll/{self.key}", die, self.sides) + 1 for die in range(self.number))
        return f"roll {' '.join(map(str, faces))}"


class Pick(NamedTuple):
    """One of ``<name> 0`` to ``<name> <ways - 1>``, all equally likely: byte 0 of the blocks
    ``pick/<name>/<attempt>``.
    """

    name: str
    ways: int

    def draw(self, luck: ChanceSource) -> str:
        return f"{self.name} {chance_even(luck, f'pick/{self.name}', 0, self.ways)}"


class Draw(NamedTuple):
    """``draw <card>``: one of the cards in ``left``, a bit mask that is not 0, from a deck of ``cards`` (at most 256).

    ``key`` says what the draw is for: e.g. ``hand/2/17`` for the eighteenth card that seat 2 draws. Each key has its
    own order of the cards, and all orders are equally likely. The first card in this order that is in ``left`` is
    drawn. So an earlier draw of another seat, or a reshuffle of discards, changes the result only if it removes the
    drawn card, or returns a card that precedes it in this order.

    The order follows from the bytes of the blocks ``<key>/<page>``, for the pages 0, 1, 2, ... Each byte names the card
    ``byte % cards``; bytes that ``chance_even`` would reject name none. Cards are ordered by where they are first
    named.
    """

    key: str
    cards: int
    left: int

    def draw(self, luck: ChanceSource) -> str:
        return f"draw {chance_first_left(luck, *self)}"


draw: Final = from_fields(Draw)


@cache
def rolls(number: int = 1, sides: int = 6) -> tuple[str, ...]:
    """Return every text that a ``Roll`` may have: the actions of a state where chance rolls.

    >>> rolls(2, sides=3)
    ('roll 1 1', 'roll 1 2', 'roll 1 3', 'roll 2 2', 'roll 2 3', 'roll 3 3')
    """
    dice = combinations_with_replacement(range(1, sides + 1), number)
    return tuple(f"roll {' '.join(map(str, faces))}" for faces in dice)


def roll_odds(text: str) -> int:
    """Return the number of ways in which the dice of a ``Roll`` show ``text``. This is the ``State.weight`` of the
    action ``text``.

    >>> roll_odds("roll 1 2"), roll_odds("roll 2 2")
    (2, 1)
    """
    faces = text.split()[1:]
    return factorial(len(faces)) // prod(map(factorial, Counter(faces).values()))


def draws(left: int) -> tuple[str, ...]:
    """Return every text that a ``Draw`` from ``left``, a bit mask of cards, may have: the actions of a state where
    chance draws.

    >>> draws(0b1101)
    ('draw 0', 'draw 2', 'draw 3')
    """
    return tuple(f"draw {card}" for card in range(left.bit_length()) if left >> card & 1)


def chance_first_left(luck: ChanceSource, key: str, cards: int, left: int) -> int:
    """Return the card that a ``Draw`` with this key draws: the first card of the key's order that is in ``left``."""
    limit = 256 - 256 % cards
    page = 0
    while True:
        for byte in luck.block(f"{key}/{page}"):
            if byte < limit and left >> byte % cards & 1:
                return byte % cards
        page += 1


def chance_even(luck: ChanceSource, key: str, at: int, sides: int) -> int:
    """Return a uniform number in ``range(sides)`` from byte ``at`` of the blocks ``<key>/<attempt>``, by rejection
    sampling.
    """
    limit = 256 - 256 % sides
    attempt = 0
    while (byte := luck.block(f"{key}/{attempt}")[at]) >= limit:
        attempt += 1
    return byte % sides


def chance_roll_text(counts: list[int] | tuple[int, ...]) -> str:
    """Return the chance action that shows ``counts[i]`` dice of ``FACES[i]``."""
    return "roll " + " ".join(" ".join(face * count) for face, count in zip(FACES, counts, strict=True) if count)


# The dice of a roll are counted in one sum. Each face has four bits of it, and each rejected byte adds a larger value.
_REJECTED: Final = 1 << 24
_WEIGHTS: Final = [16 ** (byte % 6) if byte < EVEN else _REJECTED for byte in range(256)]
_TEXTS: Final[dict[int, str]] = {}


def _new_text(tally: int) -> str:
    text = _TEXTS[tally] = chance_roll_text([tally >> 4 * face & 15 for face in range(6)])
    return text
