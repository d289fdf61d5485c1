"""Shares of opponents beaten, and moments of luck, in whole numbers of 1e-9.

A value begins every game at a half, also where one bot is much better: there it takes the luck of the first rolls for
too much, and later that of the better bot when it lags behind for too little. By how much depends on the bots, so it
is fitted with beta (``luck.adjusting``); for that the luck of a game is summed up with several weights, which are its
*moments*. A weight is known before the dice are thrown, so the mean of each moment is zero, as that of luck."""

from collections.abc import Sequence
from typing import Final, TypeAlias

UNIT: Final = 10**9  # one: every opponent is beaten
Shares: TypeAlias = tuple[int, ...]  # by seat
MOMENTS: Final = 3


def rounded(numerator: int, denominator: int) -> int:
    """Return the quotient rounded to the nearest whole number, halves up; ``denominator`` is positive."""
    return (2 * numerator + denominator) // (2 * denominator)


def shares_of(places: Sequence[int]) -> Shares:
    """Return what each seat beat of its opponents at the end of a game, ties counting half."""
    rivals = len(places) - 1
    return tuple(
        rounded(
            UNIT * sum(2 * (own < other) + (own == other) for at, other in enumerate(places) if at != seat), 2 * rivals
        )
        for seat, own in enumerate(places)
    )


def shares_with(base: Shares, seat: int, share: int) -> Shares:
    """Return ``base`` with ``share`` for ``seat``; the difference is spread equally over the other seats."""
    each = rounded(share - base[seat], len(base) - 1)
    return tuple(share if at == seat else other - each for at, other in enumerate(base))


def moments_of(luck: int, share: int, ahead: int) -> tuple[int, ...]:
    """Return ``luck`` times the first Legendre polynomials of ``x = 1 - 2 share``: 1, x and (3 x^2 - 1) / 2, each times
    that power of ``ahead``. All are in 1e-9.

    ``share`` is what the seat expected before; ``ahead`` is 1 at the start of a game and falls to 0: a better bot gains
    less in what is left of it.

    >>> moments_of(UNIT // 10, UNIT, UNIT // 2)
    (100000000, -50000000, 25000000)
    """
    x = UNIT - 2 * share
    return (
        luck,
        rounded(luck * x * ahead, UNIT**2),
        rounded(luck * (3 * x**2 - UNIT**2) * ahead**2, 2 * UNIT**4),
    )
