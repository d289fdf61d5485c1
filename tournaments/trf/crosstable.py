"""From rounds to rows: what each player did in each round."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.trf.report import ABSENT, BYE, Colour, TrfCell, TrfMark


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


def crosstable(order: Sequence[int], rounds: Sequence[RoundPlayed]) -> dict[int, tuple[TrfCell, ...]]:
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
