"""Tables of cells: where OpenSpiel prints them, and their small picture."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pecking.game import Drawing, PictureRow, View

SIDE = 152  # of a picture, inside a square of 160


@dataclass(frozen=True)
class Cells:
    """A table of cells. ``rows`` finds them in the lines that OpenSpiel prints: texts with one character a cell.

    ``marks``: the seat whose piece a character is; other characters are empty cells. ``slant``: each row lies half a
    cell further to the right than the one above.
    """

    rows: Callable[[Sequence[str]], list[str]]
    marks: Mapping[str, int]
    slant: bool = False

    def draw(self, view: View, paints: Sequence[str]) -> Drawing:
        """Draw the pieces as discs in the colours of their seats."""
        rows = view["cells"]
        wide, high = len(rows[0]) + (len(rows) - 1) / 2 * self.slant, len(rows)
        cell = SIDE / max(wide, high)
        discs: list[list[str]] = [[] for _ in paints]
        for down, row in enumerate(rows):
            for across, mark in enumerate(row):
                if mark in self.marks:  # in half cells; a path of one point has round ends
                    discs[self.marks[mark]].append(f"M{2 * across + down * self.slant} {2 * down}z")
        drawn = "".join(
            f'<path d="{"".join(one)}" stroke="{paint}" stroke-width="1.6" stroke-linecap="round"/>'
            for one, paint in zip(discs, paints, strict=True)
            if one
        )
        drawn = f'<g transform="translate({10 + cell / 2:.0f} {8 + cell / 2:.0f})scale({cell / 2:.2f})">{drawn}</g>'
        table = f'<rect x="8" y="6" width="156" height="{cell * high + 4:.0f}" rx="6" fill-opacity=".08"/>'
        return Drawing(table + drawn, [PictureRow(point) for point in view["points"]])


def numbered_rows(lines: Sequence[str]) -> list[str]:
    """Return what stands behind the number in each line that begins with one, without spaces."""
    heads = [line.strip() for line in lines]
    return ["".join(head.lstrip("0123456789").split()) for head in heads if head[:1].isdigit()]


def fen_rows(lines: Sequence[str]) -> list[str]:
    """Return the ranks of a position in Forsyth-Edwards notation, "." for free squares."""
    ranks = lines[0].split(" ")[0].split("/")
    return ["".join("." * int(one) if one.isdigit() else one for one in rank) for rank in ranks]
