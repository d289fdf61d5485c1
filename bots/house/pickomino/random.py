"""Scatterbrain: takes any face it may, and stops as soon as that wins a tile."""

import random


def act(view):
    """A random action, but a tile in reach is taken."""
    if view["phase"] == "decide":
        return "stop" if wins(view) else "roll"
    return random.choice(view["actions"])


def wins(view):
    """Whether stopping now gets any tile: one off the grill, or a rival's top tile."""
    total, me = view["sum"], view["you"]
    tops = [stack[-1] for seat, stack in enumerate(view["stacks"]) if stack and seat != me]
    return view["aside"]["W"] > 0 and (total in tops or any(tile <= total for tile in view["grill"]))
