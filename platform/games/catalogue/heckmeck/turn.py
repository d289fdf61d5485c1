"""A turn of Heckmeck: its phases, and the dice of the player whose turn it is."""

from enum import StrEnum
from functools import cache
from typing import Final, NamedTuple

from games.catalogue.grill.aside import DICE, NOTHING, Aside, aside_of, aside_roll_weight, aside_rolls
from games.chance import Chance, ChanceSource, Odds, chance_even, chance_odds, dice
from games.from_fields import from_fields

LEFT: Final = "left"
AGAIN: Final = 8  # the weasel's second throw of roll r is drawn as roll r + 8


class HeckmeckPhase(StrEnum):
    START = "start"  # chance draws the start player
    GOLDEN = "golden"  # throw the golden die too?
    ROLL = "roll"  # chance rolls
    CHOOSE = "choose"
    DOUBLE = "double"  # who gives the bratworm for the double 1?
    DECIDE = "decide"
    CANNED = "canned"  # use the canned worm? Only with the option ``canned`` = "choice"
    STEAL = "steal"
    RAVEN = "raven"  # who gives the bratworm for the raven?
    KEEP = "keep"  # which of two specialists?
    OVER = "over"


class Hand(NamedTuple):
    """The dice of a turn. ``aside`` counts all dice, including the golden one."""

    aside: Aside
    golden: str  # "" if it is not thrown in this turn, LEFT, or the face with which it was set aside
    rethrown: int  # the roll that the weasel threw again, from 0; -1 if none

    def take(self, action: str, rolled: str) -> "Hand":
        """Return the hand after setting aside a face of the roll."""
        aside, golden, rethrown = self
        if golden == LEFT and rolled[-1] == action[-1]:
            golden = action[-1]
        return _hand((aside.take(action, rolled), golden, rethrown))

    def request(self, seat: int, turn: int, faces: tuple[str, ...]) -> Chance:
        """Return the dice that chance must throw in the turn with number ``turn`` (from 0) of ``seat``."""
        aside, golden, rethrown = self
        roll = aside.rolls + AGAIN * (rethrown == aside.rolls)
        if golden == LEFT:
            return GoldenDice(seat, turn, roll, aside.left - 1, faces)
        return dice(seat, turn, roll, aside.left)


_hand: Final = from_fields(Hand)
WHITE: Final = Hand(NOTHING, "", -1)
NINE: Final = Hand(aside_of(NOTHING.counts, DICE + 1), LEFT, -1)


class GoldenDice(NamedTuple):
    """``number`` white dice (see ``Dice``), and the golden die, listed last: ``roll 1 1 4 +W``.

    The golden die shows ``faces[b % 6]``. Byte b is byte 0 of the block ``golden/<seat>/<turn>/<roll>/<attempt>``. As
    for ``Dice``, a byte of 252 or more is rejected, and the block of the next attempt is read instead.
    """

    seat: int
    turn: int
    roll: int
    number: int
    faces: tuple[str, ...]

    def draw(self, luck: ChanceSource) -> str:
        seat, turn, roll, number, faces = self
        white = dice(seat, turn, roll, number).draw(luck) if number else "roll"
        return f"{white} +{faces[chance_even(luck, f'golden/{seat}/{turn}/{roll}', 0, len(faces))]}"


def heckmeck_turn_golden_faces(rolled: str) -> list[str]:
    """Return the faces of a roll in a new list, the golden die last."""
    return rolled.replace("+", "").split()[1:]


@cache
def heckmeck_turn_golden_rolls(number: int, faces: tuple[str, ...]) -> tuple[str, ...]:
    """Return every roll of ``number`` white dice and the golden die."""
    golden = tuple(dict.fromkeys(faces))
    return tuple(f"{white.rstrip()} +{face}" for white in aside_rolls(number) for face in golden)


def heckmeck_turn_golden_weight(action: str, faces: tuple[str, ...]) -> int:
    """Return in how many of the equally likely throws this roll shows: 2 for ``roll 1 2``, because either die may show
    the 1.
    """
    white, golden, face = action.partition("+")
    return aside_roll_weight(white) * (faces.count(face) if golden else 1)


@cache
def heckmeck_turn_golden_odds(number: int, faces: tuple[str, ...]) -> Odds:
    """Return the probability of each roll of ``number`` white dice and the golden die."""
    return chance_odds(
        tuple([heckmeck_turn_golden_weight(action, faces) for action in heckmeck_turn_golden_rolls(number, faces)])
    )
