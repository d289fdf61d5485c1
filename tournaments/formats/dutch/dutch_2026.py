"""The Dutch rules of 2026: the input for the library, and the colours for the pairs that the library returns.

The colours are computed from the earlier colours of each player, by article 5 of FIDE's Dutch system (C.04.3). The
edition of 2026 did not change this article. Rounds that were not played do not count. The rounds that were played are
compared from the latest to the first (C.04.2).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

from tournaments.trf import Colour, TrfCell, TrfMark, TrfReport, trf_points


class Strength(IntEnum):
    """The strength of a colour preference (article 1.7)."""

    NONE = 0
    MILD = 1
    STRONG = 2
    ABSOLUTE = 3


@dataclass(frozen=True, slots=True)
class ColourRank:
    """A player before the round.

    ``number`` is the pairing number, from 1. ``colours`` are the player's colours in the games that were played.
    """

    number: int
    points: float
    colours: tuple[Colour, ...]

    @property
    def difference(self) -> int:
        """The number of games with white minus the number with black."""
        return self.colours.count(Colour.WHITE) - self.colours.count(Colour.BLACK)

    @property
    def preference(self) -> tuple[Colour, Strength]:
        """The preferred colour, and the strength of the preference."""
        if not self.colours:
            return Colour.NONE, Strength.NONE
        last, difference = self.colours[-1], self.difference
        if abs(difference) > 1:
            return _colour_due_less(difference), Strength.ABSOLUTE
        if self.colours[-2:] == (last, last):
            return _colour_other(last), Strength.ABSOLUTE
        if difference:
            return _colour_due_less(difference), Strength.STRONG
        return _colour_other(last), Strength.MILD


def dutch_seated(one: ColourRank, other: ColourRank, initial: Colour) -> tuple[ColourRank, ColourRank]:
    """Return the two players, white first. ``initial`` is the drawn first colour of players with odd numbers."""
    higher, lower = sorted((one, other), key=lambda player: (-player.points, player.number))
    return (higher, lower) if _of_the_higher(higher, lower, initial) is Colour.WHITE else (lower, higher)


def _of_the_higher(higher: ColourRank, lower: ColourRank, initial: Colour) -> Colour:
    mine, my_strength = higher.preference
    theirs, their_strength = lower.preference
    if Colour.NONE not in (mine, theirs) and mine is not theirs:
        return mine  # 5.2.1: both preferences
    if my_strength is not their_strength:
        return mine if my_strength > their_strength else _colour_other(theirs)  # 5.2.2: the stronger one
    if my_strength is Strength.ABSOLUTE and abs(higher.difference) != abs(lower.difference):
        return (
            mine if abs(higher.difference) > abs(lower.difference) else _colour_other(theirs)
        )  # 5.2.2: the wider difference
    for before, between in zip(reversed(higher.colours), reversed(lower.colours), strict=False):
        if before is not between:
            return _colour_other(before)  # 5.2.3: swap the colours of the latest round in which they differed
    if mine is not Colour.NONE:
        return mine  # 5.2.4: the higher ranked one's preference
    return initial if higher.number % 2 else _colour_other(initial)  # 5.2.5


def _colour_due_less(difference: int) -> Colour:
    return Colour.BLACK if difference > 0 else Colour.WHITE


def _colour_other(colour: Colour) -> Colour:
    return Colour.BLACK if colour is Colour.WHITE else Colour.WHITE


PLAYED: Final = frozenset({TrfMark.WIN, TrfMark.DRAW, TrfMark.LOSS})


def dutch_engine_input(report: TrfReport) -> dict[str, Any]:
    """Return the input of the engine as a value for JSON. Forbidden pairs are in it as pairs that have met."""
    cells = {player.number: player.cells for player in report.players}
    met = {
        tuple(sorted((number, cell.opponent))) for number, row in cells.items() for cell in row if cell.mark in PLAYED
    }
    return {
        "players": [
            {
                "id": number,
                "name": str(number),
                "starting_number": number,
                "rating": 0,
                "title": "",
                "score": trf_points(row),
                "color_hist": ["white" if colour is Colour.WHITE else "black" for colour in _colours(row)],
                "float_history": _floats(row, cells),
                "bye_count": sum(cell.mark is TrfMark.BYE for cell in row),
                "forfeit_win_count": sum(cell.mark is TrfMark.FORFEIT_WIN for cell in row),
            }
            for number, row in cells.items()
            if number not in report.absent
        ],
        "met": sorted(met | {tuple(sorted(pair)) for pair in report.forbidden}),
        # The library's shortcut for the first round ignores forbidden pairs.
        "round": max(1 + max(len(row) for row in cells.values()), 2 if report.forbidden else 1),
        "rounds": report.rounds,
        "initial_color": "white" if report.first_white else "black",
    }


def dutch_with_colours(report: TrfReport, pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the pairs, white first; 0 is the bye.

    A player's number decides its first colour. The numbers for this are given only to players that have taken part so
    far. A player that comes later gets its number when it comes.
    """
    there = [one for one in report.players if one.number not in report.absent or any(map(_took_part, one.cells))]
    ranked = {
        one.number: ColourRank(place, trf_points(one.cells), _colours(one.cells)) for place, one in enumerate(there, 1)
    }
    number = {place: one.number for place, one in enumerate(there, 1)}
    initial = Colour.WHITE if report.first_white else Colour.BLACK
    coloured = []
    for one, other in pairs:
        if other:
            white, black = dutch_seated(ranked[one], ranked[other], initial)
            coloured.append((number[white.number], number[black.number]))
        else:
            coloured.append((one, 0))
    return coloured


def _took_part(cell: TrfCell) -> bool:
    return cell.mark is not TrfMark.ABSENT


def _colours(row: Sequence[TrfCell]) -> tuple[Colour, ...]:
    return tuple(cell.colour for cell in row if cell.mark in PLAYED)


def _floats(row: Sequence[TrfCell], cells: Mapping[int, Sequence[TrfCell]]) -> list[str]:
    """Return the float of a player in each round.

    It is "down" if the player gained points without a game, or if the opponent had fewer points.
    """
    floats = []
    for number, cell in enumerate(row):
        if cell.mark in PLAYED:
            mine, theirs = trf_points(row[:number]), trf_points(cells[cell.opponent][:number])
            floats.append("down" if mine > theirs else "up" if mine < theirs else "none")
        else:
            floats.append("down" if trf_points([cell]) else "none")
    return floats
