"""What a ruleset tells programs that learn: what a seat sees as floats, and states from their facts."""

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeAlias, TypeVar

from games.arrays import ArrayRules
from games.state import Seat, State

FLOAT: Final = "f"  # of 32 bits, as this machine lays them out
Row: TypeAlias = bytes  # some floats, one after the other

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class InNumbers:
    """How one game is encoded in numbers.

    ``layout`` names the parts of an observation for so many players with these options, in order, with how many floats
    each has. ``tell`` returns these parts of what a seat sees: a function of its view alone, of numbers from -1 to 1.
    Seats are counted from the one that sees: itself, then the others in turn order. What has passed and bears on
    nothing to come, such as the view's ``last``, is left out.

    ``restore`` is the inverse of ``State.facts``, from nested tuples; it may raise anything if they are no facts.
    ``chance_ways`` bounds how many actions chance ever has. ``arrays``, if there are any, are the same rules for the
    batch engine.
    """

    layout: Callable[[int, Mapping[str, Any]], Mapping[str, int]]
    tell: Callable[[Any, Seat], Iterable[Row]]
    restore: Callable[[Any], State]
    chance_ways: Callable[[int, Mapping[str, Any]], int]
    arrays: ArrayRules | None = None


def row(values: Iterable[float]) -> Row:
    """Return these numbers as 32-bit floats."""
    return array(FLOAT, values).tobytes()


@lru_cache(maxsize=1 << 10)
def one_of(ways: int, place: int) -> Row:
    """Return ``ways`` zeros, with a 1 at ``place`` unless that is negative."""
    return row([place == one for one in range(ways)])


@lru_cache(maxsize=1 << 10)
def part_of(most: int, number: int) -> Row:
    """Return ``number`` as a part of ``most``."""
    return row([number / most])


@lru_cache(maxsize=1 << 10)
def parts_of(most: int, numbers: tuple[int, ...]) -> Row:
    """Return each number as a part of ``most``."""
    return row([number / most for number in numbers])


@lru_cache(maxsize=1 << 10)
def places_of(ways: tuple[object, ...], found: tuple[object, ...]) -> Row:
    """Return for each of ``ways`` whether it is ``found``: 1 for the last one found, 1/2 for the one before, and so on;
    0 for what is not. What occurs twice in both is matched one by one.
    """
    values = [0.0] * len(ways)
    for depth, one in enumerate(reversed(found), 1):
        place = ways.index(one)
        while values[place]:
            place = ways.index(one, place + 1)
        values[place] = 1 / depth
    return row(values)


def around(seat: Seat, by_seat: Sequence[T]) -> tuple[T, ...]:
    """Return what is listed by seat, from ``seat`` on in turn order."""
    return (*by_seat[seat:], *by_seat[:seat])


def from_here(seat: Seat, other: Seat, players: int) -> Row:
    """Return which seat the ``other`` is, counted from ``seat``; all zeros for nobody, who is negative."""
    return one_of(players, (other - seat) % players if other >= 0 else -1)


def tuples(value: Any) -> Any:
    """Return lists as tuples, however deep: what JSON made of facts, as it was."""
    return tuple([tuples(one) for one in value]) if isinstance(value, list | tuple) else value
