"""Careful Hen: considers the stake, saves its cards if it is small, and plays the worm last.

The stake is the difference between the best and the worst portion on the grill. Each type that it plays lets it draw a
card, so it plays many types before it passes. Without a worm in its hand, it plays only single small cards and hopes to
draw one. Once all rivals have passed, it knows how much it needs, and gives up if that is out of reach.
"""

from typing import Any

VALUES = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "W": 5}
WORTH_A_FIGHT = 2  # worms


def act(view: dict[str, Any]) -> str:
    """Return the next step of this plan."""
    me: int = view["you"]
    actions: list[str] = view["actions"]
    stake = worms(view, view["grill"][-1]) - worms(view, view["grill"][0])
    aim = 21 + 2 * min(stake, 4)
    if view["phase"] == "worms":
        return "done" if view["totals"][me] >= aim else actions[0]
    if "steal" in actions:
        return "steal"
    passed, totals = view["passed"], view["totals"]
    best = max((totals[seat] for seat, status in enumerate(passed) if status == "valid"), default=0)
    last = sum(not status for status in passed) == 1
    shown, total = view["displays"][me], totals[me]
    sums = playable(view["hands"][me], shown)
    worm_shown, worm_held = any(card[0] == "W" for card in shown), sums.pop("W", 0)
    if worm_shown and total > best and (last or total >= aim):
        return "pass"
    if not worm_shown and not worm_held:
        return f"play 1x{min(sums)}" if sums and not last and stake >= WORTH_A_FIGHT else "pass"
    if not worm_shown and stake < WORTH_A_FIGHT and not total:
        return "pass"
    hopeless = last and total + worm_held + sum(sums.values()) <= best
    if sums and not hopeless and (total < aim or total <= best):
        face = max(sums, key=sums.__getitem__)
        return f"play {sums[face] // VALUES[face]}x{face}"
    return "pass" if worm_shown else next(action for action in actions if action.startswith("play W"))


def worms(view: dict[str, Any], portion: int) -> int:
    """Return the worms on a portion."""
    table: list[int] = view["options"]["worms"]
    return table[portion - 15 if portion else 0]


def playable(hand: list[str], shown: list[str]) -> dict[str, int]:
    """Return the types that may be played, each with the sum of all its cards."""
    taken = {card[0] for card in shown}
    sums: dict[str, int] = {}
    for card in hand:
        if card[0] not in taken:
            sums[card[0]] = sums.get(card[0], 0) + VALUES[card[0]]
    return sums
