"""Checkers: jump, and crown."""

from pecking_order_openspiel.bridge import bridged

GAME = bridged(
    __name__,
    title="Checkers",
    tagline="Jump over what is in the way. Jumps are a duty.",
    house_bot=("careful", "Chess Coot", "Jumps, crowns, and steps where it cannot be jumped."),
)
