"""Fat Crow: grabs the most points in every roll, and rolls on while the risk is low."""

VALUE = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "W": 5}
FACES = "12345W"
NERVE = 0.1  # the risk of a bust it takes with a tile already in reach


def act(view):
    """Points first; stops with a tile in hand when the risk of rolling on is too high."""
    phase, actions = view["phase"], view["actions"]
    if phase == "choose":
        return max(actions, key=lambda action: merit(view, action.removeprefix("take ")))
    if phase == "decide":
        return "stop" if wins(view) and risk(view) > NERVE else "roll"
    if phase == "steal":
        return "steal"
    return actions[-1]  # the highest of the lower tiles


def merit(view, face):
    """Points; among equals fewer dice; late in a turn a worm above all."""
    count = view["rolled"].count(face)
    urgent = face == "W" and view["dice_left"] - count < 4
    return (urgent, VALUE[face] * count, -count)


def risk(view):
    """The chance that the next roll shows only faces already aside."""
    used = sum(view["aside"][face] > 0 for face in FACES)
    return (used / 6) ** view["dice_left"]


def wins(view):
    """Whether stopping now gets any tile: one off the grill, or a rival's top tile."""
    total, me = view["sum"], view["you"]
    tops = [stack[-1] for seat, stack in enumerate(view["stacks"]) if stack and seat != me]
    return view["aside"]["W"] > 0 and (total in tops or any(tile <= total for tile in view["grill"]))
