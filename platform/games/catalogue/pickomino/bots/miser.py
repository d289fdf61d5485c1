"""Penny Wren: gives away as few dice as it can, each for as much as it can, and takes the first tile there is."""

from typing import Any

VALUE = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "W": 5}


def act(view: dict[str, Any]) -> str:
    """Prefer one dear die to three cheap ones. No chance, no memory."""
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
    """Return what each die is worth above the three and a half of an average one; a worm once it has none."""
    count: int = view["rolled"].count(face)
    return (VALUE[face] + (face == "W"), -count, face == "W")


def wins(view: dict[str, Any]) -> bool:
    """Tell whether stopping now gets any tile: one off the grill, or a rival's top tile."""
    total, me = view["sum"], view["you"]
    tops = [stack[-1] for seat, stack in enumerate(view["stacks"]) if stack and seat != me]
    return bool(view["aside"]["W"]) and (total in tops or any(tile <= total for tile in view["grill"]))
