"""FIDE's tournament report file (TRF16), as pairing programs and checkers read it: rows of what each player did in
each round, made from rounds, and written as lines of fixed columns. No Django, no games.

The columns follow annex 2 of chapter C.04.A of the FIDE Handbook. Lines that start with XX are the extensions that
pairing programs share (JaVaFo's manual describes them).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final


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


def trf_points(cells: Iterable[TrfCell]) -> float:
    """Return the points of these rounds: 1 for a win or a bye, 0.5 for a draw."""
    return sum(
        1 if cell.mark in (TrfMark.WIN, TrfMark.FORFEIT_WIN, TrfMark.BYE) else 0.5 if cell.mark is TrfMark.DRAW else 0
        for cell in cells
    )


__all__ = [
    "Colour",
    "Player",
    "RoundPlayed",
    "TrfCell",
    "TrfGame",
    "TrfMark",
    "TrfReport",
    "trf_crosstable",
    "trf_points",
    "trf_text",
]


@dataclass(frozen=True, slots=True)
class TrfGame:
    """A match of two in seat order. ``points``: 1, 0.5 or 0 each; in one that was forfeited both may have 0."""

    seating: tuple[int, int]
    points: tuple[float, float]
    forfeited: bool = False


@dataclass(frozen=True, slots=True)
class RoundPlayed:
    """Who is in none of the games and has no bye was not there."""

    games: tuple[TrfGame, ...]
    byes: tuple[int, ...] = ()


def trf_crosstable(order: Sequence[int], rounds: Sequence[RoundPlayed]) -> dict[int, tuple[TrfCell, ...]]:
    """Return the cells of each entrant; ``order`` gives numbers from 1 on."""
    numbers = {entrant: number for number, entrant in enumerate(order, start=1)}
    rows: dict[int, list[TrfCell]] = {entrant: [] for entrant in order}
    for played in rounds:
        cells = dict.fromkeys(order, ABSENT) | dict.fromkeys(played.byes, BYE)
        for game in played.games:
            first, second = game.seating
            one, other = (_mark(points, game.forfeited) for points in game.points)
            cells[first] = TrfCell(one, numbers[second], Colour.WHITE)
            cells[second] = TrfCell(other, numbers[first], Colour.BLACK)
        for entrant, row in rows.items():
            row.append(cells[entrant])
    return {entrant: tuple(row) for entrant, row in rows.items()}


def _mark(points: float, forfeited: bool) -> TrfMark:
    if forfeited:
        return TrfMark.FORFEIT_WIN if points == 1 else TrfMark.FORFEIT_LOSS
    return TrfMark.WIN if points == 1 else TrfMark.DRAW if points == 0.5 else TrfMark.LOSS


NAME_COLUMNS: Final = 33
MOST_PLAYERS: Final = 9999


def trf_text(report: TrfReport) -> str:
    """Return the file's text; every line ends with CR LF. Names are cut at 33 characters.

    Raises:
        ValueError: a number needs more columns than it has.
    """
    return "".join(f"{line}\r\n" for line in _report_lines(report))


def _report_lines(report: TrfReport) -> Iterator[str]:
    yield f"012 {_plain(report.name)}"
    if report.start is not None:
        yield f"042 {report.start:%Y/%m/%d}"
    if report.end is not None:
        yield f"052 {report.end:%Y/%m/%d}"
    yield f"062 {len(report.players)}"
    yield "072 0"
    if report.system:
        yield f"092 {_plain(report.system)}"
    for player in report.players:
        yield _player_line(player)
    yield f"XXR {report.rounds}"
    if report.first_white is not None:
        yield f"XXC {'white1' if report.first_white else 'black1'}"
    if report.absent:
        yield f"XXZ {' '.join(map(str, report.absent))}"
    for one, other in report.forbidden:
        yield f"XXP {one} {other}"


def _player_line(player: Player) -> str:
    name = _plain(player.name)[:NAME_COLUMNS]
    points = f"{player.points:.1f}"
    if max(player.number, player.rank) > MOST_PLAYERS or len(points) > 4:
        raise ValueError(f"number {player.number}, rank {player.rank} and points {points} must have four characters")
    # Sex, title, rating, federation, number and birth are what bots have not: columns 10-13 and 48-79.
    row = f"001 {player.number:4}      {name:<33}{'':33}{points:>4} {player.rank:4}  "
    return row + "  ".join(
        f"{cell.opponent:4} {cell.colour} {cell.mark}" if cell.opponent else _alone(cell.mark) for cell in player.cells
    )


def _alone(mark: str) -> str:
    return f"0000 - {mark}"


def _plain(text: str) -> str:
    """Return one line without control characters."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())
