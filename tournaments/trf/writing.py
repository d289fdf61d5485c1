"""Lines of fixed columns, after annex 2 of chapter C.04.A of the FIDE Handbook (TRF16).

Lines that start with XX are the extensions that pairing programs share (JaVaFo's manual describes them).
"""

from collections.abc import Iterator
from typing import Final

from tournaments.trf.report import Player, TrfReport

NAME_COLUMNS: Final = 33
MOST_PLAYERS: Final = 9999


def written(report: TrfReport) -> str:
    """Return the file's text; every line ends with CR LF. Names are cut at 33 characters.

    Raises:
        ValueError: a number needs more columns than it has.
    """
    return "".join(f"{line}\r\n" for line in _lines(report))


def _lines(report: TrfReport) -> Iterator[str]:
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
        yield _row(player)
    yield f"XXR {report.rounds}"
    if report.first_white is not None:
        yield f"XXC {'white1' if report.first_white else 'black1'}"
    if report.absent:
        yield f"XXZ {' '.join(map(str, report.absent))}"
    for one, other in report.forbidden:
        yield f"XXP {one} {other}"


def _row(player: Player) -> str:
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
