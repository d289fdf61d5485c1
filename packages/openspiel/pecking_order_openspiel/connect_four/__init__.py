"""Connect Four: drop discs until four are in a line."""

from pecking.game import Cup
from pecking_order_openspiel.bridge import bridged
from pecking_order_openspiel.cells import Cells

GAME = bridged(
    __name__,
    title="Connect Four",
    tagline="Drop discs until four of yours are in a line.",
    house_bots=(
        ("random", "Dropping Dodo", "Plays any action."),
        ("ahead", "Four Cranes", "Looks three moves ahead and likes the middle."),
    ),
    cells=Cells(lambda lines: list(lines[:6]), {"x": 0, "o": 1}),
    cup=Cup("connect_four", "Connect Four Cup", "Discs for beginners.", 2),
)
