"""Brood Hen: secures a worm, then points, and stops at the first tile in reach. Not random, remembers nothing."""

from typing import Any

VALUE = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "W": 5}
FAVOURITES = ("apple", "hen", "weasel", "golden_die", "canned_worm")


def act(view: dict[str, Any]) -> str:
    """Return an action that depends only on the view."""
    phase: str = view["phase"]
    actions: list[str] = view["actions"]
    if phase == "choose":
        takes = [action for action in actions if action.startswith("take ")]
        return max(takes, key=lambda take: merit(view, take[-1])) if takes else "use weasel"
    if phase == "decide":
        return "stop" if wins(view) else "roll"
    if phase == "keep":
        return next(f"keep {name}" for name in FAVOURITES if f"keep {name}" in actions)
    if phase in ("double", "raven"):
        return max(actions, key=lambda action: int(view["worms"][int(action.split()[1])]))
    return actions[0]  # use the golden die, use the canned worm, steal


def merit(view: dict[str, Any], face: str) -> int:
    """Return the points of a face. A worm counts for more, and two ones bring a bratworm."""
    count: int = view["rolled"].count(face)
    bonus = {"W": 0 if has(view, "canned_worm") else 8, "1": 5 if count > 1 else 0}.get(face, 0)
    return VALUE[face] * count + bonus


def has(view: dict[str, Any], specialist: str) -> bool:
    return bool(view["specialists"][specialist] == f"seat {view['you']}")


def wins(view: dict[str, Any]) -> bool:
    """Tell whether stopping now wins a tile. 11 and 13 require their exact number, and are never stolen."""
    total, me = view["sum"], view["you"]
    if not view["aside"]["W"]:
        if not has(view, "canned_worm"):
            return False
        total += 5
    tops = [stack[-1] for seat, stack in enumerate(view["stacks"]) if stack and seat != me]
    return total in view["grill"] or any(20 < tile <= total for tile in view["grill"]) or (total > 20 and total in tops)
