"""Fighting Cock: wants the best portion of every round, and plays all its cards for it."""

from typing import Any

VALUES = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "W": 5}


def act(view: dict[str, Any]) -> str:
    """Return the play with the most points in every turn, and all worms at once. Pass when nothing is left or nobody
    can catch up.
    """
    actions: list[str] = view["actions"]
    if view["phase"] == "worms":
        return actions[0]
    me: int = view["you"]
    shown = view["displays"][me]
    worm = any(card[0] == "W" for card in shown)
    others = [total for seat, total in enumerate(view["totals"]) if seat != me]
    if worm and view["totals"][me] > max(others) + 15:
        return "steal" if "steal" in actions else "pass"
    plays = [action for action in actions if action.startswith("play ")]
    if plays and not (worm and view["totals"][me] >= 40):
        return max(plays, key=lambda action: worth(action, view["hands"][me]))
    return "steal" if "steal" in actions else "pass"


def worth(action: str, hand: list[str]) -> int:
    """Return the points of the cards that the action plays; for a worm, those of all worms in the hand."""
    what = action.split()[1]
    if what[0] == "W":
        return 5 * sum(card[0] == "W" for card in hand)
    count, face = what.split("x")
    return int(count) * VALUES[face]
