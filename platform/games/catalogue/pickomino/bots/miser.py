"""Penny Wren: sets aside few dice of high value, and takes the first tile in reach."""

from typing import Any

VALUE = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "W": 5}


def act(view: dict[str, Any]) -> str:
    """Prefer one die of high value to three of low value. Not random, remembers nothing."""
    phase: str = view["phase"]
    actions: list[str] = view["actions"]
    if phase == "choose":
        return max(actions, key=lambda action: merit(view, action.removeprefix("take ")))
    if phase == "decide":
        return "stop" if wins(view) else "roll"
    if phase == "steal":
        return "decline" if "decline" in actions and not view["grill"] else "steal"
    return actions[-1]  # the highest of the lower tiles


def merit(view: dict[str, Any], face: str) -> tuple[int, int, bool]:
    """Rank a face by the points of one die, with a worm above a five, and equal faces by fewer dice."""
    count: int = view["rolled"].count(face)
    return (VALUE[face] + (face == "W"), -count, face == "W")


def wins(view: dict[str, Any]) -> bool:
    """Tell whether stopping now wins a tile: one from the grill, or a rival's top tile."""
    total, me = view["sum"], view["you"]
    tops = [stack[-1] for seat, stack in enumerate(view["stacks"]) if stack and seat != me]
    return bool(view["aside"]["W"]) and (total in tops or any(tile <= total for tile in view["grill"]))
