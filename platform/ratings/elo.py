"""Elo's rating of one who plays against another, updated after every game: for puzzles and those who solve them.

Each side moves by its own step, which shrinks with the games it has played.
"""

from typing import Final

FIRST_STEP: Final = 64.0  # points
LEAST_STEP: Final = 12.0


def elo_expected(rating: float, other: float) -> float:
    """Return the share that ``rating`` is expected to win against ``other``.

    >>> expected(1900, 1500)
    0.9090909090909091
    """
    return 1 / (1 + 10 ** ((other - rating) / 400))


def elo_change(rating: float, other: float, share: float, games: int) -> float:
    """Return the points that ``rating`` gains by winning ``share``, from 0 to 1, after ``games`` earlier ones.

    >>> change(1500, 1500, 1, games=0)
    32.0
    >>> change(1500, 1500, 0, games=100)
    -6.0
    """
    step = max(LEAST_STEP, FIRST_STEP / (1 + games / 8))
    return step * (share - elo_expected(rating, other))
