"""The option that several games share: who begins."""

from typing import Final

from games.ruleset import Option

START_PLAYER: Final = Option(
    "seat0",
    ("seat0", "random"),
    "Start player",
    "The first seat, or one drawn by lot.",
    words=("the first seat", "drawn by lot"),
)
