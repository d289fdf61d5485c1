"""FIDE's tournament report file (TRF16) for pairing programs. It has a line of fixed columns for each player.

The columns are those of annex 2 of chapter C.04.A of the FIDE Handbook. Lines that start with XX are extensions that
pairing programs share; JaVaFo's manual describes them. This module uses neither Django nor games.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final


class TrfMark(StrEnum):
    """The result of a round for a player, as the letter in the file."""

    WIN = "1"
    DRAW = "="
    LOSS = "0"
    FORFEIT_WIN = "+"
    FORFEIT_LOSS = "-"
    BYE = "U"  # a bye that the pairing gave, which counts as a win
    ABSENT = "Z"


class Colour(StrEnum):
    """The colour of a player. White has the first seat."""

    WHITE = "w"
    BLACK = "b"
    NONE = "-"


@dataclass(frozen=True, slots=True)
class TrfCell:
    """The round of a player. ``opponent`` is the opponent's number, 0 if there was none."""

    mark: TrfMark
    opponent: int = 0
    colour: Colour = Colour.NONE


ABSENT = TrfCell(TrfMark.ABSENT)
BYE = TrfCell(TrfMark.BYE)


@dataclass(frozen=True, slots=True)
class Player:
    """A player of a report. ``number`` counts from 1 in the order of the seeds."""

    number: int
    name: str
    points: float
    rank: int
    cells: tuple[TrfCell, ...]


@dataclass(frozen=True, slots=True)
class TrfReport:
    """The data of a report. ``rounds`` is the number of announced rounds.

    The last three fields are only for pairing programs. They are the players that miss the next round, the pairs that
    must not meet, and whether the first seed had the first seat in the first round.
    """

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
    """A match of two, in seat order. ``points`` has 1, 0.5 or 0 for each. After a forfeit, both may have 0."""

    seating: tuple[int, int]
    points: tuple[float, float]
    forfeited: bool = False


@dataclass(frozen=True, slots=True)
class RoundPlayed:
    """A round. An entrant that has neither a game nor a bye in it was absent."""

    games: tuple[TrfGame, ...]
    byes: tuple[int, ...] = ()


def trf_crosstable(order: Sequence[int], rounds: Sequence[RoundPlayed]) -> dict[int, tuple[TrfCell, ...]]:
    """Return the cells of each entrant, one for each round. ``order`` has the entrants in the order of numbers."""
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
    """Return the text of the file. Each line ends with CR LF. Names are cut at 33 characters.

    Raises:
        ValueError: a number does not fit in its columns.
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
    # Bots have no sex, title, rating, federation, number and birth date: columns 10-13 and 48-79 are blank.
    row = f"001 {player.number:4}      {name:<33}{'':33}{points:>4} {player.rank:4}  "
    return row + "  ".join(
        f"{cell.opponent:4} {cell.colour} {cell.mark}" if cell.opponent else _alone(cell.mark) for cell in player.cells
    )


def _alone(mark: str) -> str:
    return f"0000 - {mark}"


def _plain(text: str) -> str:
    """Return the text as one line without control characters."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())
