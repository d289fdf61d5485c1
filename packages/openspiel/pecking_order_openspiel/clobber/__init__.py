"""Clobber: who cannot take loses."""

from pecking_order_openspiel.bridge import bridged

GAME = bridged(
    __name__,
    title="Clobber",
    tagline="Take a neighbour. Whoever cannot loses.",
    house_bot=("few", "Hungry Gull", "Looks ahead until there are few moves left."),
)
