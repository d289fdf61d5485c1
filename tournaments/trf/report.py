"""What a tournament report file says: players, and what each did in each round."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class TrfMark(StrEnum):
    """What a round was for a player, in the letters of the format."""

    WIN = "1"
    DRAW = "="
    LOSS = "0"
    FORFEIT_WIN = "+"
    FORFEIT_LOSS = "-"
    BYE = "U"  # allocated by the pairing, worth a win
    ABSENT = "Z"


class Colour(StrEnum):
    """White has the first seat."""

    WHITE = "w"
    BLACK = "b"
    NONE = "-"


@dataclass(frozen=True, slots=True)
class TrfCell:
    """A round of a player; ``opponent`` by its number, 0 if there was none."""

    mark: TrfMark
    opponent: int = 0
    colour: Colour = Colour.NONE


ABSENT = TrfCell(TrfMark.ABSENT)
BYE = TrfCell(TrfMark.BYE)


@dataclass(frozen=True, slots=True)
class Player:
    """``number``: from 1, in the order of the seeds."""

    number: int
    name: str
    points: float
    rank: int
    cells: tuple[TrfCell, ...]


@dataclass(frozen=True, slots=True)
class TrfReport:
    """``rounds``: how many there will be. The last three are for pairing programs only: who sits out the next round,
    who must not meet, and whether the first seed had the first seat in the first round."""

    name: str
    players: tuple[Player, ...]
    rounds: int
    system: str = ""
    start: date | None = None
    end: date | None = None
    absent: tuple[int, ...] = ()
    forbidden: tuple[tuple[int, int], ...] = ()
    first_white: bool | None = None


def worth(cells: Iterable[TrfCell]) -> float:
    """Return the points of these rounds: 1 for a win or a bye, 0.5 for a draw."""
    return sum(
        1 if cell.mark in (TrfMark.WIN, TrfMark.FORFEIT_WIN, TrfMark.BYE) else 0.5 if cell.mark is TrfMark.DRAW else 0
        for cell in cells
    )
