"""The phases of a turn."""

from enum import StrEnum


class PickominoPhase(StrEnum):
    START = "start"  # chance draws the start player
    ROLL = "roll"  # chance rolls
    CHOOSE = "choose"
    DECIDE = "decide"
    STEAL = "steal"
    LOWER = "lower"  # only with lower_tile any_lower
    OVER = "over"
