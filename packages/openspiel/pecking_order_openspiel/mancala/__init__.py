"""Mancala (Kalah): sow seeds around the board."""

from pecking_order_openspiel.bridge import bridged

GAME = bridged(
    __name__,
    title="Mancala",
    tagline="Sow seeds, catch those opposite, sow once more.",
    house_bots=[("sower", "Seed Finch", "Sows where it gets another turn, or catches most.")],
    tensor_most=400,  # the number of the move
)
