"""Shares of opponents beaten, in whole numbers of 1e-9."""

from collections.abc import Sequence
from typing import Final, TypeAlias

UNIT: Final = 10**9  # one: every opponent is beaten
Shares: TypeAlias = tuple[int, ...]  # by seat


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


def moved(base: Shares, seat: int, share: int) -> Shares:
    """Return ``base`` where ``seat`` has ``share``, and what it gained or lost is taken from the others equally."""
    each = rounded(share - base[seat], len(base) - 1)
    return tuple(share if at == seat else other - each for at, other in enumerate(base))
