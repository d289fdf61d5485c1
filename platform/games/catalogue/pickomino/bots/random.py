"""Scatterbrain: takes any face, and stops as soon as that wins a tile."""

import random
from typing import Any


def act(view: dict[str, Any]) -> str:
    """Return a random action, but take a tile in reach."""
    if view["phase"] == "decide":
        return "stop" if wins(view) else "roll"
    return str(random.choice(view["actions"]))


def wins(view: dict[str, Any]) -> bool:
    """Tell whether stopping now wins a tile: one from the grill, or a rival's top tile."""
    total, me = view["sum"], view["you"]
    tops = [stack[-1] for seat, stack in enumerate(view["stacks"]) if stack and seat != me]
    return bool(view["aside"]["W"]) and (total in tops or any(tile <= total for tile in view["grill"]))
