"""Tic-tac-toe: three in a row on nine cells."""

from pecking_order_openspiel.bridge import bridged

GAME = bridged(
    __name__,
    title="Tic-tac-toe",
    tagline="Three in a row. Perfect play is a tie.",
    house_bot=("perfect", "Noughts Magpie", "Plays perfectly, by looking at every end."),
)
