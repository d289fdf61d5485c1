"""Clobber: who cannot take loses."""

from pecking_order_openspiel.bridge import bridged
from pecking_order_openspiel.cells import Cells, numbered_rows

GAME = bridged(
    __name__,
    title="Clobber",
    tagline="Take a neighbour. A seat that cannot move loses.",
    house_bots=[("few", "Hungry Gull", "Looks ahead until there are few moves left.")],
    cells=Cells(numbered_rows, {"o": 0, "x": 1}),
)
