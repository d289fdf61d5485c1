"""Old Marmot: bids what its cards are worth, takes the tricks it needs and ducks the rest. No chance, no memory."""

from typing import Any

View = dict[str, Any]

FEATURES = "QSCT"


def act(view: View) -> str:
    """Return the same action for the same view, always."""
    phase: str = view["phase"]
    return bid(view) if phase == "bid" else lead(view) if phase == "lead" else follow(view)


def bid(view: View) -> str:
    """Return the allowed bid nearest to the tricks it expects."""
    actions: list[str] = view["actions"]
    expected = sum(chance(view, card) for card in view["hands"][view["you"]])
    return min(actions, key=lambda action: abs(int(action[4:]) - expected))


def chance(view: View, card: int) -> float:
    """Return how likely a card is to take a trick: the better its best values, and the fewer cards there are to beat
    them.
    """
    values: list[int] = sorted(view["options"]["deck"][card])
    rivals = (view["players"] - 1) * view["cards_each"] / (len(view["options"]["deck"]) - view["cards_each"])
    weights = zip((0.05, 0.1, 0.2, 0.65), values, strict=True)
    expected: float = sum(weight * (1 - rivals * 0.4) ** (24 - value) for weight, value in weights)
    return expected


def lead(view: View) -> str:
    """Return its highest value while it needs tricks, else its lowest."""
    actions: list[str] = view["actions"]
    deck: list[list[int]] = view["options"]["deck"]
    best = max if wanted(view) > 0 else min
    return best(actions, key=lambda action: deck[int(action[5:-2])][FEATURES.index(action[-1])])


def follow(view: View) -> str:
    """Win as it needs to, with the weakest card that can; get rid of its best where that is safe."""
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
