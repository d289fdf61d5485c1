"""Draws among outcomes that are not equally likely, which OpenSpiel gives as a list of actions and probabilities."""

from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Any, NamedTuple

from pecking.game import Chance, Draw

DENOMINATOR_MOST = 1_000_000  # of a probability; deals and dice have far smaller ones
WORD = 8  # bytes of a draw
CARDS_MOST = 256  # of a Draw


class Lottery(NamedTuple):
    """``draw <outcome>``: one of ``outcomes``, each with its whole ``weights``.

    It is the number that the first eight bytes of the block ``lottery/<key>/<attempt>`` are, modulo the sum of the
    weights; attempts beyond the last multiple of the sum are thrown away.
    """

    key: str
    outcomes: tuple[int, ...]
    weights: tuple[int, ...]

    def draw(self, luck: Any) -> str:
        whole = sum(self.weights)
        limit = 256**WORD - 256**WORD % whole
        attempt = 0
        while (number := int.from_bytes(luck.block(f"lottery/{self.key}/{attempt}")[:WORD])) >= limit:
            attempt += 1
        number %= whole
        for outcome, weight in zip(self.outcomes, self.weights, strict=True):
            number -= weight
            if number < 0:
                return f"draw {outcome}"
        raise AssertionError("the weights are more than they sum to")


def request(key: str, outcomes: tuple[int, ...], weights: tuple[int, ...]) -> Chance:
    """Return what the dealer must draw. Equal chances are a ``Draw``, so that a card that another seat has taken
    changes the draw only where it is that very card.
    """
    if len(set(weights)) == 1 and max(outcomes) < CARDS_MOST:
        return Draw(key, max(outcomes) + 1, sum(1 << one for one in outcomes))
    return Lottery(key, outcomes, weights)


@lru_cache(maxsize=1 << 12)
def whole_weights(probabilities: tuple[float, ...]) -> tuple[int, ...]:
    """Return whole numbers in the proportions of the ``probabilities``.

    >>> whole_weights((1 / 18, 1 / 36))
    (2, 1)
    """
    exact = [Fraction(one).limit_denominator(DENOMINATOR_MOST) for one in probabilities]
    common = lcm(*(one.denominator for one in exact))
    return tuple(int(one * common) for one in exact)
