"""What a ruleset provides for programs that learn.

It encodes observations as floats and restores states from their facts. For the batch engine (``research.batch``), it
also has the rules as functions on a row of integers.
"""

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeAlias, TypeVar

from games.state import Seat, State

IntegerRow: TypeAlias = Any  # a numpy array of int32 for one game
WANTED: Final = 0  # index in every row: the code of the block of chance that the game waits for; 0 for none
ACTOR: Final = 1  # the seat to act, -1 once the game is over; undefined while the game waits for a block
SEATS: Final = 2  # the number of seats
SETTINGS: Final = 3  # index of the first setting


@dataclass(frozen=True, slots=True)
class ArrayRules:
    """The rules of a game in plain Python on integers and arrays, so that numba can compile them unchanged.

    A row has ``width(players)`` integers. The caller writes ``SEATS`` and, from ``SETTINGS`` on, ``settings(options)``;
    all other integers are 0. ``begin(row)``, ``play(row, action)`` and ``deal(row, block)`` continue until the game
    waits for a block of chance, a seat must act or the game is over. ``key(code)`` returns the key of the block that
    the game waits for, at most 32 ASCII characters; see ``games.dealer`` for blocks and keys. The batch engine stores
    the keys in a table whose index is the code, so codes are small numbers from 1. ``observe(row, seat, floats)``
    writes what ``InNumbers.tell`` returns. ``allow(row, mask)`` writes a 1 for each legal action into an array of
    zeros. ``rank(row, points, places)`` writes the outcome.

    These six functions may call all functions of their own modules. They may also call the functions of each module of
    ``games`` from which one of their modules imports a function. A name must mean the same in all these modules.
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
    """Return the choice out of ``ways`` that a byte draws, or -1 if the byte is rejected; see
    ``chance.chance_even``.
    """
    return int(byte) % ways if byte < 256 - 256 % ways else -1


def numbers_first_left(block: Any, cards: int, left: int) -> int:
    """Return the card that a block draws from the set ``left``, or -1 if it names none of them.

    See ``chance.chance_first_left``.
    """
    limit = 256 - 256 % cards
    for byte in block:
        card = int(byte) % cards
        if byte < limit and left >> card & 1:
            return card
    return -1


def numbers_place_by(merits: Any, places: Any) -> None:
    """Write places by merit, highest first; equal merits share a place."""
    for seat in range(len(merits)):
        places[seat] = 1
        for other in range(len(merits)):
            places[seat] += merits[other] > merits[seat]


FLOAT: Final = "f"  # typecode of 32-bit floats in native byte order
Row: TypeAlias = bytes  # consecutive 32-bit floats

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class InNumbers:
    """How one game is encoded in numbers.

    ``layout`` takes a number of players and options. It returns the names of the parts of an observation, in order,
    with the number of floats of each part. ``tell`` returns these parts for a seat. The floats depend only on the
    seat's view and are from -1 to 1. Seats are numbered relative to the observing seat: itself first, then the others
    in turn order. Past events that cannot matter any more, such as the view's ``last``, are left out.

    ``restore`` is the inverse of ``State.facts`` and takes nested tuples; it may raise anything for invalid facts.
    ``chance_ways`` is an upper bound on the number of chance actions. ``arrays`` are the rules for the batch engine, if
    the game has them.
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
    """Return ``ways`` zeros, with a 1 at ``place`` unless it is negative."""
    return row([place == one for one in range(ways)])


@lru_cache(maxsize=1 << 10)
def part_of(most: int, number: int) -> Row:
    """Return ``number`` as a fraction of ``most``."""
    return row([number / most])


@lru_cache(maxsize=1 << 10)
def parts_of(most: int, numbers: tuple[int, ...]) -> Row:
    """Return each number as a fraction of ``most``."""
    return row([number / most for number in numbers])


@lru_cache(maxsize=1 << 10)
def places_of(ways: tuple[object, ...], found: tuple[object, ...]) -> Row:
    """Return one number for each item of ``ways``: 1 if the item is last in ``found``, 1/2 if it is last but one, and
    so on; 0 if it is not in ``found``. If a value occurs several times in both, its items are matched one by one.
    """
    values = [0.0] * len(ways)
    for depth, one in enumerate(reversed(found), 1):
        place = ways.index(one)
        while values[place]:
            place = ways.index(one, place + 1)
        values[place] = 1 / depth
    return row(values)


def around(seat: Seat, by_seat: Sequence[T]) -> tuple[T, ...]:
    """Return the items of ``by_seat`` in turn order, starting at ``seat``."""
    return (*by_seat[seat:], *by_seat[:seat])


def from_here(seat: Seat, other: Seat, players: int) -> Row:
    """Return the place of seat ``other`` counted from ``seat``, one-hot; all zeros if ``other`` is negative."""
    return one_of(players, (other - seat) % players if other >= 0 else -1)


def numbers_tuples_of_lists(value: Any) -> Any:
    """Return nested lists as nested tuples: restore facts that went through JSON."""
    return tuple([numbers_tuples_of_lists(one) for one in value]) if isinstance(value, list | tuple) else value
