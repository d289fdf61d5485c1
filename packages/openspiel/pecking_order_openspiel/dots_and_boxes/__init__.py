"""Dots and Boxes: close boxes."""

from pecking.game import Option
from pecking_order_openspiel.bridge import bridged

GAME = bridged(
    __name__,
    title="Dots and Boxes",
    tagline="Draw lines, close boxes, and never give one away.",
    house_bots=[("closer", "Box Jay", "Closes boxes, and draws no third side if it can help it.")],
    options={"size": Option(3, (2, 3, 4, 5), "Boxes", "Boxes along a side.")},
    parameters=lambda players, options: {"num_rows": options["size"], "num_cols": options["size"]},
)
