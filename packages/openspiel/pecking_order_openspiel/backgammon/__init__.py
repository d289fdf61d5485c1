"""Backgammon: bear off all checkers first."""

from pecking.game import Cup
from pecking_order_openspiel.bridge import bridged
from pecking_order_openspiel.cells import Cells

GAME = bridged(
    __name__,
    title="Backgammon",
    tagline="Two dice, fifteen checkers, one race.",
    house_bots=(
        ("random", "Drifting Duck", "Plays any action."),
        ("runner", "Race Roadrunner", "Runs home, lands two together, and bears off."),
    ),
    is_named=False,
    cells=Cells(lambda lines: [line[1:-1].replace("|", " ") for line in lines[1:12]], {"x": 0, "o": 1}),
    cup=Cup("backgammon", "Backgammon Cup", "A race with dice.", 2),
    tensor_most=15,
)
