"""Headless Chick: takes any face, throws bad rolls again with the weasel, and stops as soon as that wins a tile."""

import random
from typing import Any


def act(view: dict[str, Any]) -> str:
    """Return a random action, but take a tile in reach."""
    actions: list[str] = view["actions"]
    if view["phase"] == "decide":
        return "stop" if wins(view) else "roll"
    if view["phase"] == "steal" and view["options"]["steal"] == "optional_or_fail":
        return "steal"
    if actions == ["use weasel", "leave weasel"]:
        return "use weasel"
    return random.choice(actions)


def wins(view: dict[str, Any]) -> bool:
    """Tell whether stopping now wins a tile: the exact tile, or one above 20 that is not higher than the total."""
    total, me = view["sum"], view["you"]
    if not view["aside"]["W"]:
        return False
    tops = [stack[-1] for seat, stack in enumerate(view["stacks"]) if stack and seat != me]
    return total in view["grill"] or any(20 < tile <= total for tile in view["grill"]) or (total > 20 and total in tops)
