"""Chicken Thief: goes for whom the others have, the specialists, and for the tiles on their stacks."""

from typing import Any

VALUE = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "W": 5}
FAVOURITES = ("apple", "golden_die", "hen", "weasel", "canned_worm")


def act(view: dict[str, Any]) -> str:
    """A total that steals is worth a bonus; so is a tile with a specialist on it."""
    phase: str = view["phase"]
    actions: list[str] = view["actions"]
    if phase == "choose":
        takes = [action for action in actions if action.startswith("take ")]
        return max(takes, key=lambda take: merit(view, take[-1])) if takes else "use weasel"
    if phase == "decide":
        return "stop" if wins(view) and not tempted(view) else "roll"
    if phase == "keep":
        return next(f"keep {name}" for name in FAVOURITES if f"keep {name}" in actions)
    if phase in ("double", "raven"):
        return max(actions, key=lambda action: int(view["worms"][int(action.split()[1])]))
    return actions[0]  # use the golden die, use the canned worm, steal


def merit(view: dict[str, Any], face: str) -> float:
    """Points, a worm while it has none, and more for a total that somebody else's tile has."""
    count: int = view["rolled"].count(face)
    total = view["sum"] + VALUE[face] * count
    worm = face == "W" or view["aside"]["W"] or has(view, "canned_worm")
    urgent = face == "W" and not view["aside"]["W"] and view["dice_left"] - count < 5
    return VALUE[face] * count + (9 if urgent else 0) + (12 if worm and total in prey(view) else 0)


def prey(view: dict[str, Any]) -> set[int]:
    """Totals that win a rival's tile, or a specialist on the grill."""
    tops = {stack[-1] for seat, stack in enumerate(view["stacks"]) if stack and seat != view["you"]}
    guarded = {int(place[5:]) for place in view["specialists"].values() if place.startswith("tile ")}
    return {tile for tile in tops | guarded if tile > 20}


def tempted(view: dict[str, Any]) -> bool:
    """Whether one more die could win something worth more, while the risk is low."""
    free = [face for face in "12345W" if not view["aside"][face]]
    risk = ((6 - len(free)) / 6) ** view["dice_left"]
    near = any(view["sum"] + VALUE[face] in prey(view) for face in free)
    return near and risk < 0.2 and view["sum"] not in prey(view)


def has(view: dict[str, Any], specialist: str) -> bool:
    return bool(view["specialists"][specialist] == f"seat {view['you']}")


def wins(view: dict[str, Any]) -> bool:
    """Whether stopping now gets any tile: 11 and 13 only by their exact number, and never from a rival."""
    total = view["sum"]
    if not view["aside"]["W"]:
        if not has(view, "canned_worm"):
            return False
        total += 5
    tops = [stack[-1] for seat, stack in enumerate(view["stacks"]) if stack and seat != view["you"]]
    return total in view["grill"] or any(20 < tile <= total for tile in view["grill"]) or (total > 20 and total in tops)
