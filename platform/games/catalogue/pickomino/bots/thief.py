"""Thieving Magpie: looks at the others' tiles first. It rolls on past tiles of the grill while it can
still steal one.
"""

from typing import Any

VALUE = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "W": 5}
FACES = "12345W"
NERVE = 0.35  # the risk of failing that a theft is worth


def act(view: dict[str, Any]) -> str:
    """Steal if possible, prepare a theft if it is near, and otherwise take a tile from the grill."""
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
    """Return the rivals' top tiles."""
    return [stack[-1] for seat, stack in enumerate(view["stacks"]) if stack and seat != view["you"]]


def merit(view: dict[str, Any], face: str) -> tuple[bool, bool, int]:
    """Rank a face: first one whose total steals a tile, then a worm before the dice run out, then points, less three if
    the total exceeds every tile that can be stolen.
    """
    count: int = view["rolled"].count(face)
    total = view["sum"] + VALUE[face] * count
    worm = face == "W" or view["aside"]["W"] > 0
    urgent = face == "W" and view["dice_left"] - count < 4
    over = total - max(prey(view), default=99)
    return (worm and total in prey(view), urgent, VALUE[face] * count - (3 if over > 0 else 0))


def tempted(view: dict[str, Any]) -> bool:
    """Tell whether one more die could reach a rival's tile, and the risk of another roll is worth it."""
    short = [tile - view["sum"] for tile in prey(view)]
    free = [face for face in FACES if not view["aside"][face]]
    reach = any(VALUE[face] in short for face in free)
    risk = ((6 - len(free)) / 6) ** view["dice_left"]
    return reach and view["dice_left"] > 1 and risk <= NERVE and view["sum"] not in prey(view)


def wins(view: dict[str, Any]) -> bool:
    """Tell whether stopping now wins a tile: one from the grill, or a rival's top tile."""
    total: int = view["sum"]
    return bool(view["aside"]["W"]) and (total in prey(view) or any(tile <= total for tile in view["grill"]))
