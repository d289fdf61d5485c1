"""Havannah: a ring, a bridge or a fork."""

from pecking.game import Option
from pecking_order_openspiel.bridge import bridged

GAME = bridged(
    __name__,
    title="Havannah",
    tagline="A ring, a bridge or a fork wins.",
    house_bots=[("beside", "Fork Swift", "Takes the shortest way to three sides, or cuts it.")],
    options={"size": Option(4, (3, 4, 5, 6), "Board", "Cells along a side.")},
    parameters=lambda players, options: {"board_size": options["size"]},
)
