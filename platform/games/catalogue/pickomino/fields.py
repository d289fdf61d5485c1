"""What a position is made of."""

from enum import StrEnum
from typing import NamedTuple

from games.catalogue.grill.aside import Aside
from games.catalogue.pickomino.board import PickominoBoard


class PickominoPhase(StrEnum):
    START = "start"  # chance draws the start player
    ROLL = "roll"  # chance rolls
    CHOOSE = "choose"
    DECIDE = "decide"
    STEAL = "steal"
    LOWER = "lower"  # only with lower_tile any_lower
    OVER = "over"


class PickominoFields(NamedTuple):
    board: PickominoBoard
    aside: Aside
    phase: PickominoPhase
    rolled: str  # chance's last action, while the player chooses from it
    choices: tuple[str, ...]  # the player's legal actions; empty where it is chance's turn
