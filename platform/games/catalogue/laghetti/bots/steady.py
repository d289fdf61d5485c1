"""Old Marmot: bids what its cards are worth, wins the tricks it needs and avoids the rest. Not random, remembers
nothing.
"""

from typing import Any

View = dict[str, Any]

FEATURES = "QSCT"


def act(view: View) -> str:
    """Return an action that depends only on the view."""
    phase: str = view["phase"]
    return bid(view) if phase == "bid" else lead(view) if phase == "lead" else follow(view)


def bid(view: View) -> str:
    """Return the allowed bid nearest to the tricks it expects."""
    actions: list[str] = view["actions"]
    expected = sum(chance(view, card) for card in view["hands"][view["you"]])
    return min(actions, key=lambda action: abs(int(action[4:]) - expected))


def chance(view: View, card: int) -> float:
    """Return an estimate of a card's chance to win a trick: higher for better values, and for fewer cards
    against it.
    """
    values: list[int] = sorted(view["options"]["deck"][card])
    rivals = (view["players"] - 1) * view["cards_each"] / (len(view["options"]["deck"]) - view["cards_each"])
    weights = zip((0.05, 0.1, 0.2, 0.65), values, strict=True)
    expected: float = sum(weight * (1 - rivals * 0.4) ** (24 - value) for weight, value in weights)
    return expected


def lead(view: View) -> str:
    """Return its highest value while it needs tricks, otherwise its lowest."""
    actions: list[str] = view["actions"]
    deck: list[list[int]] = view["options"]["deck"]
    best = max if wanted(view) > 0 else min
    return best(actions, key=lambda action: deck[int(action[5:-2])][FEATURES.index(action[-1])])


def follow(view: View) -> str:
    """Win a needed trick, as the last player with the lowest winning value and otherwise with the highest. Throw the
    best card that loses if no trick is needed.
    """
    trick, deck = view["trick"], view["options"]["deck"]
    column, high = FEATURES.index(trick["feature"]), max(trick["values"])
    cards: dict[str, list[int]] = {action: deck[int(action[5:])] for action in view["actions"]}
    above = [action for action in cards if cards[action][column] > high]
    below = [action for action in cards if cards[action][column] < high]
    last = len(trick["values"]) == view["players"] - 1
    if wanted(view) > 0:
        if above:
            return (min if last else max)(above, key=lambda action: cards[action][column])
        return min(below, key=lambda action: max(cards[action]))
    if below:
        return max(below, key=lambda action: max(cards[action]))
    return (max if last else min)(above, key=lambda action: cards[action][column])


def wanted(view: View) -> int:
    """Return how many tricks it still needs."""
    needed: int = view["bids"][view["you"]] - view["won"][view["you"]]
    return needed
