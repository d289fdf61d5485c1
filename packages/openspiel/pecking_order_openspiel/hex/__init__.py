"""Hex: connect your two sides."""

from pecking.game import Cup, Option
from pecking_order_openspiel.bridge import bridged
from pecking_order_openspiel.cells import Cells

GAME = bridged(
    __name__,
    title="Hex",
    tagline="Connect your two sides of the board. There are no ties.",
    house_bots=(
        ("random", "Wandering Wagtail", "Plays any action."),
        ("shortest", "Bridge Builder", "Counts how many cells each side still needs."),
    ),
    options={"size": Option(7, (5, 7, 9, 11), "Board", "Cells along a side.")},
    parameters=lambda players, options: {"board_size": options["size"]},
    cells=Cells(lambda lines: ["".join(line.split()) for line in lines], {"x": 0, "o": 1}, slant=True),
    cup=Cup("hex", "Hex Cup", "Two sides, one way through.", 2),
)
