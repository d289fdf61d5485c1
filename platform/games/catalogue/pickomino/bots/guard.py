"""Gander on Guard: bold with nothing to lose, careful with a good tile on its stack, and bold again when behind.

It explains its actions: the reason, the tiles that it considers, and its estimated chance to win.
"""

from math import exp
from typing import Any

VALUE = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "W": 5}
FACES = "12345W"
EASY, WARY, DESPERATE = 0.12, 0.03, 0.3  # the risk of failing that it accepts with a tile in reach


def act(view: dict[str, Any]) -> dict[str, Any]:
    """Return the action with its explanation: see "An answer that explains itself" in the protocol."""
    action = decision(view)
    return {"action": action, "note": note(view, action), "marks": marks(view), "value": value(view)}


def decision(view: dict[str, Any]) -> str:
    """Take points first, and a worm in time. Roll on as far as the cost of failing allows."""
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
    """Rank a face by points, and equal faces by fewer dice. Late in a turn, a worm ranks first."""
    count: int = view["rolled"].count(face)
    return (face == "W" and view["dice_left"] - count < 5, VALUE[face] * count, -count)


def nerve(view: dict[str, Any]) -> float:
    """Return the risk that it accepts. It depends on the top tile of its stack, which would go back to the grill."""
    me, worms = view["you"], view["worms"]
    behind = max(worms) - worms[me] >= 4 and len(view["grill"]) < 6
    if behind:
        return DESPERATE
    stack = view["stacks"][me]
    return WARY if stack and stack[-1] >= 29 else EASY


def risk(view: dict[str, Any]) -> float:
    """Return the probability that the next roll shows only faces that are already set aside."""
    used = sum(view["aside"][face] > 0 for face in FACES)
    return float((used / 6) ** view["dice_left"])


def wins(view: dict[str, Any]) -> bool:
    """Tell whether stopping now wins a tile: one from the grill, or a rival's top tile."""
    total, me = view["sum"], view["you"]
    tops = [stack[-1] for seat, stack in enumerate(view["stacks"]) if stack and seat != me]
    return bool(view["aside"]["W"]) and (total in tops or any(tile <= total for tile in view["grill"]))


def note(view: dict[str, Any], action: str) -> str:
    """Return the reason for the action in a few words."""
    if view["phase"] == "choose":
        count = view["rolled"].count(action.removeprefix("take "))
        return f"{count} of {view['dice_left']} dice" + (" and no worm yet" if not view["aside"]["W"] else "")
    if view["phase"] != "decide":
        return ""
    if not wins(view):
        return "no tile in reach yet"
    return f"another roll fails in {risk(view):.0%} of all cases; up to {nerve(view):.0%} I go on"


def marks(view: dict[str, Any]) -> list[str]:
    """Return the tiles that it could win or steal by stopping now; of those on the grill, only the best."""
    total, me = view["sum"], view["you"]
    tops = [stack[-1] for seat, stack in enumerate(view["stacks"]) if stack and seat != me]
    reached = [tile for tile in view["grill"] if tile <= total][-1:] + [top for top in tops if top == total]
    return [f"tile {tile}" for tile in reached]


def value(view: dict[str, Any]) -> float:
    """Return its estimated share of the win from everybody's worms. Fewer remaining tiles make it more certain."""
    spread = 2 + len(view["grill"]) / 4
    weights = [exp(worms / spread) for worms in view["worms"]]
    return float(weights[view["you"]] / sum(weights))
