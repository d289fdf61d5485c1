"""What so many dice can show, and how likely each is."""

from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod

from games.chance import FACES, roll_text
from games.odds import Odds, odds_of


@cache
def rolls(dice: int) -> tuple[str, ...]:
    """Return every roll of so many dice, in a fixed order."""
    shown = combinations_with_replacement(range(6), dice)
    return tuple(roll_text([faces.count(face) for face in range(6)]) for faces in shown)


def roll_weight(action: str) -> int:
    """Return how many of the equally likely dice, in order, show this roll."""
    counts = [action.count(face) for face in FACES]
    return factorial(sum(counts)) // prod(map(factorial, counts))


@cache
def rolls_odds(dice: int) -> Odds:
    """Return how likely each roll of so many dice is."""
    return odds_of(tuple(map(roll_weight, rolls(dice))))
