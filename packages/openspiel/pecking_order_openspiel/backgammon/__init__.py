"""Backgammon: bear off all checkers first."""

from pecking.game import Cup
from pecking_order_openspiel.bridge import bridged

GAME = bridged(
    __name__,
    title="Backgammon",
    tagline="Two dice, fifteen checkers, one race.",
    house_bots=(
        ("random", "Drifting Duck", "Plays any action."),
        ("runner", "Race Roadrunner", "Runs home, lands two together, and bears off."),
    ),
    is_named=False,
    cup=Cup("backgammon", "Backgammon Cup", "A race with dice.", 2),
)
