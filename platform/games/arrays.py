"""What a ruleset tells the batch engine: its rules as functions of one row of integers, see ``research.batch``."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

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
    wanted, a seat is to act or the game is over. ``key(code)`` names the wanted block: chance is that of
    ``games.dealer``. ``observe(row, seat, floats)`` writes what ``InNumbers.tell`` tells, ``allow(row, mask)`` a 1 for
    each legal action into zeros, ``rank(row, points, places)`` the outcome.

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


def lot(byte: int, ways: int) -> int:
    """Return what a byte draws out of so many ways, or -1 if it is to be thrown away; see ``chance.even``."""
    return int(byte) % ways if byte < 256 - 256 % ways else -1


def first_left(block: Any, cards: int, left: int) -> int:
    """Return the card that a block draws from the set ``left``, or -1 if it names none; see ``chance.first_left``."""
    limit = 256 - 256 % cards
    for byte in block:
        card = int(byte) % cards
        if byte < limit and left >> card & 1:
            return card
    return -1


def place_by(merits: Any, places: Any) -> None:
    """Write places by the highest merit; equal ones share."""
    for seat in range(len(merits)):
        places[seat] = 1
        for other in range(len(merits)):
            places[seat] += merits[other] > merits[seat]
