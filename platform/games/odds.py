"""What chance may do as numbers, and how likely each is: for programs that walk through a game by themselves."""

from functools import lru_cache
from typing import Final, NamedTuple


class Odds(NamedTuple):
    """By place in ``State.actions()``: ``codes`` counts them from 0, ``probabilities`` sum to 1."""

    codes: tuple[int, ...]
    probabilities: tuple[float, ...]


NONE: Final = Odds((), ())


@lru_cache(maxsize=1 << 12)
def odds_of(weights: tuple[int, ...]) -> Odds:
    """Return the odds of actions with these weights, see ``State.weight``."""
    whole = sum(weights)
    return Odds(tuple(range(len(weights))), tuple([weight / whole for weight in weights]))
