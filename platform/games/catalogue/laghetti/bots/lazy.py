"""Lazy Marmot: bids as few tricks as possible and avoids tricks. It throws its best cards when they lose."""

from typing import Any

FEATURES = "QSCT"


def act(view: dict[str, Any]) -> str:
    """Return the lowest bid. Then win needed tricks with the highest value, and otherwise lead the lowest value and
    follow with the highest that loses.
    """
    actions: list[str] = view["actions"]
    phase: str = view["phase"]
    if phase == "bid":
        return min(actions, key=lambda action: int(action[4:]))
    wanted: int = view["bids"][view["you"]] - view["won"][view["you"]]
    deck: list[list[int]] = view["options"]["deck"]
    if phase == "lead":
        best = max if wanted > 0 else min
        return best(actions, key=lambda action: deck[int(action[5:-2])][FEATURES.index(action[-1])])
    column, high = FEATURES.index(view["trick"]["feature"]), max(view["trick"]["values"])
    values = {action: deck[int(action[5:])][column] for action in actions}
    if wanted > 0:
        return max(actions, key=values.__getitem__)
    losing = [action for action in actions if values[action] < high]
    return max(losing, key=values.__getitem__) if losing else min(actions, key=values.__getitem__)
