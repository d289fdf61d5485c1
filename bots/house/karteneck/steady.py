"""Careful Hen: one type after the other, the worm last; as much as the rivals make necessary, and no more.

It draws a card for every type it plays, so it plays many types before it passes. Without a worm in its hand it spends
single small cards only, hoping to draw one. Where all rivals have passed it knows what it needs, and plays just that.
"""

TYPES = "12345W"
VALUES = dict(zip(TYPES, (1, 2, 3, 4, 5, 5), strict=True))
ENOUGH = 28  # a total that mostly wins one of the better portions


def act(view):
    """The next step of that plan."""
    me, actions = view["you"], view["actions"]
    if view["phase"] == "worms":
        return more_worms(view)
    shown, total = view["displays"][me], view["totals"][me]
    valid = any(card[0] == "W" for card in shown)
    if "steal" in actions:
        return "steal"
    rivals = [seat for seat in range(view["players"]) if seat != me]
    active = [seat for seat in rivals if not view["passed"][seat]]
    best = max((view["totals"][seat] for seat in rivals if view["passed"][seat] == "valid"), default=0)
    if valid and total > best and (not active or total >= ENOUGH):
        return "pass"
    hand = view["hands"][me]
    counts = {face: sum(card[0] == face for card in hand) for face in TYPES}
    taken = {card[0] for card in shown}
    free = [face for face in TYPES if counts[face] and face not in taken]
    numbers = [face for face in free if face != "W"]
    if not valid and not counts["W"]:
        return f"play 1x{numbers[0]}" if numbers and active else "pass"
    if not active and total + sum(counts[face] * VALUES[face] for face in free) <= best:
        return closing(valid, actions)  # the best portion is out of reach
    if numbers and (total < ENOUGH or total <= best):
        face = max(numbers, key=lambda one: (counts[one] * VALUES[one], one))
        return f"play {counts[face]}x{face}"
    return closing(valid, actions)


def closing(valid, actions):
    """Passes, with a worm: the one with the lowest tag."""
    return "pass" if valid else next(action for action in actions if action.startswith("play W"))


def more_worms(view):
    """Another worm where the total is still low."""
    return "done" if view["totals"][view["you"]] >= ENOUGH else view["actions"][0]
