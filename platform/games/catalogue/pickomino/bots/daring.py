"""Mad Rooster: wants the high tiles. A low tile in reach does not stop it while it has dice to throw."""

from typing import Any

VALUE = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "W": 5}
HIGH = 29  # tiles from here on have three worms or more
DARES = 3  # with this many dice it still rolls on for more


def act(view: dict[str, Any]) -> str:
    """Take the most points in every roll, and a worm before the dice run out. Roll on until a high tile is in reach."""
    phase: str = view["phase"]
    actions: list[str] = view["actions"]
    if phase == "choose":
        return max(actions, key=lambda action: merit(view, action.removeprefix("take ")))
    if phase == "decide":
        return "stop" if wins(view) and (view["sum"] >= HIGH or view["dice_left"] < DARES) else "roll"
    if phase == "steal":
        return "steal"
    return actions[-1]  # the highest of the lower tiles


def merit(view: dict[str, Any], face: str) -> tuple[bool, int]:
    """Return the points of a face. With few dice left, a worm comes first."""
    count: int = view["rolled"].count(face)
    return (face == "W" and view["dice_left"] - count < DARES, VALUE[face] * count)


def wins(view: dict[str, Any]) -> bool:
    """Tell whether stopping now wins a tile: one from the grill, or a rival's top tile."""
    total, me = view["sum"], view["you"]
    tops = [stack[-1] for seat, stack in enumerate(view["stacks"]) if stack and seat != me]
    return bool(view["aside"]["W"]) and (total in tops or any(tile <= total for tile in view["grill"]))
