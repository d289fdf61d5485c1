"""Shares of opponents beaten, and moments of luck, as integers in units of 1e-9.

A value starts every game at one half, even if one bot is much better. So it overestimates the luck of the first rolls.
Later in the game, it underestimates the luck of the better bot when this bot is behind. The size of these errors
depends on the bots. So it is fitted together with beta (``luck.adjusted_mean``). For this purpose, the luck of a game
is summed with several weights. These sums are its *moments*. A weight is known before the roll, so the mean of each
moment is zero, like the mean of luck.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

UNIT: Final = 10**9  # the share of a seat that beats every opponent
Shares: TypeAlias = tuple[int, ...]  # by seat
MOMENTS: Final = 3


def rounded(numerator: int, denominator: int) -> int:
    """Return the quotient rounded to the nearest integer, halves up. ``denominator`` must be positive."""
    return (2 * numerator + denominator) // (2 * denominator)


def shares_of(places: Sequence[int]) -> Shares:
    """Return the share of opponents that each seat beat, given the final places. Ties count half."""
    rivals = len(places) - 1
    return tuple(
        rounded(
            UNIT * sum(2 * (own < other) + (own == other) for at, other in enumerate(places) if at != seat), 2 * rivals
        )
        for seat, own in enumerate(places)
    )


def luck_shares_with(base: Shares, seat: int, share: int) -> Shares:
    """Return ``base`` with ``share`` for ``seat``; the difference is spread equally over the other seats."""
    each = rounded(share - base[seat], len(base) - 1)
    return tuple(share if at == seat else other - each for at, other in enumerate(base))


def luck_share_moments(luck: int, share: int, ahead: int) -> tuple[int, ...]:
    """Return ``luck`` times three factors: Legendre polynomials of ``x = 1 - 2 share``, times powers of ``ahead``.

    The factors are 1, x * ahead and (3 x^2 - 1) / 2 * ahead^2. All numbers are in 1e-9. ``share`` is the expected share
    of the seat before the event. ``ahead`` falls from 1 at the start of a game to 0 at its end, because a better bot
    gains less in a shorter rest of the game.

    >>> luck_share_moments(UNIT // 10, UNIT, UNIT // 2)
    (100000000, -50000000, 25000000)
    """
    x = UNIT - 2 * share
    return (
        luck,
        rounded(luck * x * ahead, UNIT**2),
        rounded(luck * (3 * x**2 - UNIT**2) * ahead**2, 2 * UNIT**4),
    )
