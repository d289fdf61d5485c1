"""Oware: sow, and catch twos and threes."""

from pecking_order_openspiel.bridge import bridged

GAME = bridged(
    __name__,
    title="Oware",
    tagline="Sow seeds, and catch twos and threes.",
    house_bots=[("catcher", "Twos Thrush", "Sows where it catches most at once.")],
)
