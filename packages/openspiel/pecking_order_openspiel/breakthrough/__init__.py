"""Breakthrough: be the first on the other side."""

from pecking.game import Option
from pecking_order_openspiel.bridge import bridged
from pecking_order_openspiel.cells import Cells, numbered_rows

GAME = bridged(
    __name__,
    title="Breakthrough",
    tagline="The first across the board wins.",
    house_bots=[("forward", "Bold Goose", "Takes what it can keep, and runs.")],
    options={"size": Option(6, (6, 8), "Board", "Cells along a side.")},
    parameters=lambda players, options: {"rows": options["size"], "columns": options["size"]},
    cells=Cells(numbered_rows, {"b": 0, "w": 1}),
)
