"""Gander on Guard: bold with nothing to lose, careful with a good tile on its stack, and bold again when behind."""

from typing import Any

VALUE = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "W": 5}
FACES = "12345W"
EASY, WARY, DESPERATE = 0.12, 0.03, 0.3  # the risk of a bust it takes with a tile already in reach


def act(view: dict[str, Any]) -> str:
    """Take points first, a worm in time; go on as far as the cost of a bust allows."""
    phase: str = view["phase"]
    actions: list[str] = view["actions"]
    if phase == "choose":
        return max(actions, key=lambda action: merit(view, action.removeprefix("take ")))
    if phase == "decide":
        return "stop" if wins(view) and risk(view) > nerve(view) else "roll"
    if phase == "steal":
        return "steal"
    return actions[-1]  # the highest of the lower tiles


def merit(view: dict[str, Any], face: str) -> tuple[bool, int, int]:
    """Rank a face by points; among equals by fewer dice; late in a turn put a worm above all."""
    count: int = view["rolled"].count(face)
    return (face == "W" and view["dice_left"] - count < 5, VALUE[face] * count, -count)


def nerve(view: dict[str, Any]) -> float:
    """Return the risk it takes: what lies on top of its stack would go back to the grill."""
    me, worms = view["you"], view["worms"]
    behind = max(worms) - worms[me] >= 4 and len(view["grill"]) < 6
    if behind:
        return DESPERATE
    stack = view["stacks"][me]
    return WARY if stack and stack[-1] >= 29 else EASY


def risk(view: dict[str, Any]) -> float:
    """Return the chance that the next roll shows only faces already aside."""
    used = sum(view["aside"][face] > 0 for face in FACES)
    return float((used / 6) ** view["dice_left"])


def wins(view: dict[str, Any]) -> bool:
    """Tell whether stopping now gets any tile: one off the grill, or a rival's top tile."""
    total, me = view["sum"], view["you"]
    tops = [stack[-1] for seat, stack in enumerate(view["stacks"]) if stack and seat != me]
    return bool(view["aside"]["W"]) and (total in tops or any(tile <= total for tile in view["grill"]))
