"""Go on a small board."""

from pecking.game import Option
from pecking_order_openspiel.bridge import bridged
from pecking_order_openspiel.cells import Cells, numbered_rows

GAME = bridged(
    __name__,
    title="Go",
    tagline="Surround more than the other. Nine lines are enough.",
    house_bots=[("atari", "Quiet Swan", "Takes what it can, saves what it must, and fills no eye.")],
    options={"size": Option(9, (5, 7, 9, 13), "Board", "Lines along a side.")},
    parameters=lambda players, options: {"board_size": options["size"]},
    cells=Cells(numbered_rows, {"X": 0, "O": 1}),
)
