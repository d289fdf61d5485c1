"""Tic-tac-toe: three in a row on nine cells."""

from pecking_order_openspiel.bridge import bridged
from pecking_order_openspiel.cells import Cells

GAME = bridged(
    __name__,
    title="Tic-tac-toe",
    tagline="Three in a row. Perfect play is a tie.",
    house_bots=[("perfect", "Noughts Magpie", "Plays perfectly, by looking at every end.")],
    cells=Cells(lambda lines: list(lines[:3]), {"x": 0, "o": 1}),
)
