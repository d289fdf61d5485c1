"""Connect Four: drop discs until four are in a line."""

from pecking.game import Cup
from pecking_order_openspiel.bridge import bridged

GAME = bridged(
    __name__,
    title="Connect Four",
    tagline="Drop discs until four of yours are in a line.",
    house_bot=("ahead", "Four Cranes", "Looks three moves ahead and likes the middle."),
    cup=Cup("connect_four", "Connect Four Cup", "Discs for beginners.", 2),
)
