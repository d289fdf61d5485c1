"""The tables of a stage, whether their matches are decided, and what everyone made of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class TableState(StrEnum):
    OPEN = "open"  # to be played, or being played
    FINISHED = "finished"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class SeatFact:
    """An entrant's share of a match as it was played, see ``matches.models.Seat``; nothing while there is no result.
    ``places``, game by game, are only needed where somebody's results are annulled."""

    entrant: int
    score: float = 0
    points: int = 0
    wins: int = 0
    faulty_games: int = 0
    forfeited: bool = False
    places: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TableFact:
    """The match in force at a ``table`` of a ``round``, the ``attempt``th drawn there, its seats in order. ``reasons``:
    of a knockout where in the bracket it stands; elsewhere why these met, which nothing follows from."""

    match: int
    round: int
    table: int
    state: TableState
    seats: tuple[SeatFact, ...]
    blocks: int = 0  # played
    reasons: Mapping[str, Any] | None = None
    attempt: int = 1

    @property
    def seating(self) -> tuple[int, ...]:
        return tuple(seat.entrant for seat in self.seats)


@dataclass(frozen=True, slots=True)
class ByeGiven:
    """An entrant that found no table in a round."""

    round: int
    entrant: int
    points: int
