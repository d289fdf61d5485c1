"""Old Marmot: bids what its cards are worth, takes the tricks it needs and ducks the rest. No chance, no memory."""

FEATURES = "QSCT"


def act(view):
    """The same action for the same view, always."""
    if view["phase"] == "bid":
        return bid(view)
    return lead(view) if view["phase"] == "lead" else follow(view)


def bid(view):
    """The allowed bid nearest to the tricks it expects."""
    expected = sum(chance(view, card) for card in hand_of(view))
    return min(view["actions"], key=lambda action: abs(int(action[4:]) - expected))


def chance(view, card):
    """How likely a card is to take a trick: the better its best value, and the fewer cards there are to beat it."""
    values = sorted(view["options"]["deck"][card])
    rivals = (view["players"] - 1) * view["cards_each"] / (len(view["options"]["deck"]) - view["cards_each"])
    weights = zip((0.05, 0.1, 0.2, 0.65), values, strict=True)
    return sum(weight * (1 - rivals * 0.4) ** (24 - value) for weight, value in weights)


def lead(view):
    """Its highest value while it needs tricks, else its lowest."""
    values = {action: value_of(view, action) for action in view["actions"]}
    best = max if wanted(view) > 0 else min
    return best(view["actions"], key=values.get)


def follow(view):
    """Wins as it needs to, with the weakest card that can; gets rid of its best where that is safe."""
    trick, deck = view["trick"], view["options"]["deck"]
    column, high = FEATURES.index(trick["feature"]), max(trick["values"])
    cards = {action: deck[int(action[5:])] for action in view["actions"]}
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


def wanted(view):
    """How many tricks it still needs."""
    return view["bids"][view["you"]] - view["won"][view["you"]]


def hand_of(view):
    return view["hands"][view["you"]]


def value_of(view, action):
    """The value that a lead such as ``play 5 Q`` shows."""
    return view["options"]["deck"][int(action[5:-2])][FEATURES.index(action[-1])]
