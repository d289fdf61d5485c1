"""Fat Crow: takes the most points in every roll, and rolls on while the risk is low."""

from typing import Any

VALUE = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "W": 5}
FACES = "12345W"
NERVE = 0.1  # the risk of failing that it accepts with a tile in reach


def act(view: dict[str, Any]) -> str:
    """Take points first. Stop with a tile in reach if the risk of rolling on is too high."""
    phase: str = view["phase"]
    actions: list[str] = view["actions"]
    if phase == "choose":
        return max(actions, key=lambda action: merit(view, action.removeprefix("take ")))
    if phase == "decide":
        return "stop" if wins(view) and risk(view) > NERVE else "roll"
    if phase == "steal":
        return "steal"
    return actions[-1]  # the highest of the lower tiles


def merit(view: dict[str, Any], face: str) -> tuple[bool, int, int]:
    """Rank a face by points, and equal faces by fewer dice. Late in a turn, a worm ranks first."""
    count: int = view["rolled"].count(face)
    urgent = face == "W" and view["dice_left"] - count < 4
    return (urgent, VALUE[face] * count, -count)


def risk(view: dict[str, Any]) -> float:
    """Return the probability that the next roll shows only faces that are already set aside."""
    used = sum(view["aside"][face] > 0 for face in FACES)
    return float((used / 6) ** view["dice_left"])


def wins(view: dict[str, Any]) -> bool:
    """Tell whether stopping now wins a tile: one from the grill, or a rival's top tile."""
    total, me = view["sum"], view["you"]
    tops = [stack[-1] for seat, stack in enumerate(view["stacks"]) if stack and seat != me]
    return bool(view["aside"]["W"]) and (total in tops or any(tile <= total for tile in view["grill"]))
