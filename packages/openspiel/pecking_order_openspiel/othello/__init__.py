"""Othello: turn the other's discs."""

from pecking_order_openspiel.bridge import bridged
from pecking_order_openspiel.cells import Cells, numbered_rows

GAME = bridged(
    __name__,
    title="Othello",
    tagline="Enclose discs to turn them. Most discs win.",
    house_bots=[("corners", "Corner Crow", "Loves corners, and hates the cells beside them.")],
    cells=Cells(lambda lines: [row.rstrip("12345678") for row in numbered_rows(lines)], {"x": 0, "o": 1}),
)
