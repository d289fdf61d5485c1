"""Thieving Magpie: looks at the others' tiles first. It rolls on past the grill while one of them can still be had."""

from typing import Any

VALUE = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "W": 5}
FACES = "12345W"
NERVE = 0.35  # the risk of a bust that a theft is worth


def act(view: dict[str, Any]) -> str:
    """Steal if it can, get ready to if that is near, and otherwise take what the grill has."""
    phase: str = view["phase"]
    actions: list[str] = view["actions"]
    if phase == "choose":
        return max(actions, key=lambda action: merit(view, action.removeprefix("take ")))
    if phase == "decide":
        return "stop" if wins(view) and not tempted(view) else "roll"
    if phase == "steal":
        return "steal"
    return actions[-1]  # the highest of the lower tiles


def prey(view: dict[str, Any]) -> list[int]:
    """Return the tiles that lie on top of a rival's stack."""
    return [stack[-1] for seat, stack in enumerate(view["stacks"]) if stack and seat != view["you"]]


def merit(view: dict[str, Any], face: str) -> tuple[bool, bool, int]:
    """Rank a face: a total that steals at once; the worm before the dice run out; then points, as long as they do not
    overshoot.
    """
    count: int = view["rolled"].count(face)
    total = view["sum"] + VALUE[face] * count
    worm = face == "W" or view["aside"]["W"] > 0
    urgent = face == "W" and view["dice_left"] - count < 4
    over = total - max(prey(view), default=99)
    return (worm and total in prey(view), urgent, VALUE[face] * count - (3 if over > 0 else 0))


def tempted(view: dict[str, Any]) -> bool:
    """Tell whether a rival's tile is a die or two away and the next roll is likely to go well."""
    short = [tile - view["sum"] for tile in prey(view)]
    free = [face for face in FACES if not view["aside"][face]]
    reach = any(VALUE[face] in short for face in free)
    risk = ((6 - len(free)) / 6) ** view["dice_left"]
    return reach and view["dice_left"] > 1 and risk <= NERVE and view["sum"] not in prey(view)


def wins(view: dict[str, Any]) -> bool:
    """Tell whether stopping now gets any tile: one off the grill, or a rival's top tile."""
    total: int = view["sum"]
    return bool(view["aside"]["W"]) and (total in prey(view) or any(tile <= total for tile in view["grill"]))
