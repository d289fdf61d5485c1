"""What a ruleset tells programs that learn: what a seat sees as floats, states from their facts, and, for the batch
engine (see ``research.batch``), its rules as functions of one row of integers.
"""

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeAlias, TypeVar

from games.state import Seat, State

IntegerRow: TypeAlias = Any  # a numpy array of int32 for one game
WANTED: Final = 0  # place in every row: the code of the block of chance that the game waits for; 0 for none
ACTOR: Final = 1  # the seat to act, -1 once the game is over; means nothing while a block is wanted
SEATS: Final = 2  # how many
SETTINGS: Final = 3  # the first of them


@dataclass(frozen=True, slots=True)
class ArrayRules:
    """The rules of a game in plain Python on integers and arrays, so that numba can compile them as they are.

    A row has ``width(players)`` integers. The caller writes ``SEATS``, and ``settings(options)`` from ``SETTINGS`` on;
    all others are 0. ``begin(row)``, ``play(row, action)`` and ``deal(row, block)`` go on until a block of chance is
    wanted, a seat is to act or the game is over. ``key(code)`` names the wanted block, in at most 32 ASCII characters:
    chance is that of ``games.dealer``. A table by code holds these names, so codes are small numbers from 1 on.
    ``observe(row, seat, floats)`` writes what ``InNumbers.tell`` tells, ``allow(row, mask)`` a 1 for each legal action
    into zeros, ``rank(row, points, places)`` the outcome.

    These six functions may use all functions of their modules and of modules of ``games`` that these import functions
    from. A name means the same in all of these.
    """

    width: Callable[[int], int]
    settings: Callable[[Mapping[str, Any]], tuple[int, ...]]
    key: Callable[[int], str]
    begin: Callable[[IntegerRow], None]
    play: Callable[[IntegerRow, int], None]
    deal: Callable[[IntegerRow, Any], None]
    observe: Callable[[IntegerRow, int, Any], None]
    allow: Callable[[IntegerRow, Any], None]
    rank: Callable[[IntegerRow, Any, Any], None]


def numbers_lot(byte: int, ways: int) -> int:
    """Return what a byte draws out of so many ways, or -1 if it is to be thrown away; see ``chance.chance_even``."""
    return int(byte) % ways if byte < 256 - 256 % ways else -1


def numbers_first_left(block: Any, cards: int, left: int) -> int:
    """Return the card that a block draws from the set ``left``, or -1 if it names none.

    See ``chance.chance_first_left``.
    """
    limit = 256 - 256 % cards
    for byte in block:
        card = int(byte) % cards
        if byte < limit and left >> card & 1:
            return card
    return -1


def numbers_place_by(merits: Any, places: Any) -> None:
    """Write places by the highest merit; equal ones share."""
    for seat in range(len(merits)):
        places[seat] = 1
        for other in range(len(merits)):
            places[seat] += merits[other] > merits[seat]


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


def numbers_tuples_of_lists(value: Any) -> Any:
    """Return lists as tuples, however deep: what JSON made of facts, as it was."""
    return tuple([numbers_tuples_of_lists(one) for one in value]) if isinstance(value, list | tuple) else value
