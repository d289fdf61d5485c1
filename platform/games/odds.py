"""What chance may do as numbers, and how likely each is: for programs that walk through a game by themselves."""

from functools import cached_property, lru_cache
from typing import Final, NamedTuple


class _Odds(NamedTuple):
    codes: tuple[int, ...]
    probabilities: tuple[float, ...]


class Odds(_Odds):
    """By place in ``State.actions()``: ``codes`` counts them from 0, ``probabilities`` sum to 1."""

    @cached_property
    def pairs(self) -> tuple[tuple[int, float], ...]:
        """Each code with its probability."""
        return tuple(zip(*self, strict=True))


NONE: Final = Odds((), ())


@lru_cache(maxsize=1 << 12)
def odds_of(weights: tuple[int, ...]) -> Odds:
    """Return the odds of actions with these weights, see ``State.weight``.

    >>> odds_of((1, 2, 1)).pairs
    ((0, 0.25), (1, 0.5), (2, 0.25))
    """
    whole = sum(weights)
    return Odds(tuple(range(len(weights))), tuple([weight / whole for weight in weights]))
