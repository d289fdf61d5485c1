"""Checkers: jump, and crown."""

from pecking_order_openspiel.bridge import bridged
from pecking_order_openspiel.cells import Cells

GAME = bridged(
    __name__,
    title="Checkers",
    tagline="Jump over what is in the way. Jumps are a duty.",
    house_bots=[("careful", "Chess Coot", "Jumps, crowns, and steps where it cannot be jumped.")],
    cells=Cells(lambda lines: [line[1:] for line in lines if line[:1].isdigit()], {"o": 0, "8": 0, "+": 1, "*": 1}),
)
