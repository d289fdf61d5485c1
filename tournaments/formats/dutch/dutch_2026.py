"""What the library for the Dutch rules of 2026 is told of a tournament, and colours for the pairs that it answers."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tournaments.formats.dutch.colours import ColourRank, seated
from tournaments.trf import Colour, TrfCell, TrfMark, TrfReport, worth

PLAYED: Final = frozenset({TrfMark.WIN, TrfMark.DRAW, TrfMark.LOSS})


def position(report: TrfReport) -> dict[str, Any]:
    """Return the players of the next round, ready for JSON. Pairs that are forbidden are told as met."""
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
                "score": worth(row),
                "color_hist": ["white" if colour is Colour.WHITE else "black" for colour in _colours(row)],
                "float_history": _floats(row, cells),
                "bye_count": sum(cell.mark is TrfMark.BYE for cell in row),
                "forfeit_win_count": sum(cell.mark is TrfMark.FORFEIT_WIN for cell in row),
            }
            for number, row in cells.items()
            if number not in report.absent
        ],
        "met": sorted(met | {tuple(sorted(pair)) for pair in report.forbidden}),
        # Its short cut for the first round looks at no forbidden pairs.
        "round": max(1 + max(len(row) for row in cells.values()), 2 if report.forbidden else 1),
        "rounds": report.rounds,
        "initial_color": "white" if report.first_white else "black",
    }


def with_colours(report: TrfReport, pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the same pairs, white first; 0 is the bye. For the first colour those are numbered who have been there
    yet: who comes later gets its number then.
    """
    there = [one for one in report.players if one.number not in report.absent or any(map(_took_part, one.cells))]
    ranked = {
        one.number: ColourRank(place, worth(one.cells), _colours(one.cells)) for place, one in enumerate(there, 1)
    }
    number = {place: one.number for place, one in enumerate(there, 1)}
    initial = Colour.WHITE if report.first_white else Colour.BLACK
    coloured = []
    for one, other in pairs:
        if other:
            white, black = seated(ranked[one], ranked[other], initial)
            coloured.append((number[white.number], number[black.number]))
        else:
            coloured.append((one, 0))
    return coloured


def _took_part(cell: TrfCell) -> bool:
    return cell.mark is not TrfMark.ABSENT


def _colours(row: Sequence[TrfCell]) -> tuple[Colour, ...]:
    return tuple(cell.colour for cell in row if cell.mark in PLAYED)


def _floats(row: Sequence[TrfCell], cells: Mapping[int, Sequence[TrfCell]]) -> list[str]:
    """Return the floats round by round: down for points without a game, or a game with somebody who had fewer."""
    floats = []
    for number, cell in enumerate(row):
        if cell.mark in PLAYED:
            mine, theirs = worth(row[:number]), worth(cells[cell.opponent][:number])
            floats.append("down" if mine > theirs else "up" if mine < theirs else "none")
        else:
            floats.append("down" if worth([cell]) else "none")
    return floats
