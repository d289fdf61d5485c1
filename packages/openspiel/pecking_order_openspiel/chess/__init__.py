"""Chess, in at most 400 half-moves."""

from pecking_order_openspiel.bridge import bridged
from pecking_order_openspiel.cells import Cells, fen_rows

GAME = bridged(
    __name__,
    title="Chess",
    tagline="The game of kings, for bots without an engine.",
    house_bots=[("greedy", "Castle Rook", "Mates if it sees a mate, and takes what is worth more than it costs.")],
    is_named=False,
    cells=Cells(fen_rows, {one: one.isupper() for one in "pnbrqkPNBRQK"}),
)
