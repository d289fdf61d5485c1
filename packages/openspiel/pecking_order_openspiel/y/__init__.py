"""Y: touch all three sides."""

from pecking.game import Option
from pecking_order_openspiel.bridge import bridged

GAME = bridged(
    __name__,
    title="Y",
    tagline="Connect all three sides of a triangle.",
    house_bots=[("beside", "Three-toed Snipe", "Builds beside its own stones, in the way of the other.")],
    options={"size": Option(7, (5, 7, 9), "Board", "Cells along a side.")},
    parameters=lambda players, options: {"board_size": options["size"]},
)
