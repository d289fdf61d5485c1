"""Othello: turn the other's discs."""

from pecking_order_openspiel.bridge import bridged

GAME = bridged(
    __name__,
    title="Othello",
    tagline="Enclose discs to turn them. Most discs win.",
    house_bot=("corners", "Corner Crow", "Loves corners, and hates the cells beside them."),
)
