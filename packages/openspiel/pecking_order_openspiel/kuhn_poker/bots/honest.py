"""Bets the highest card, passes the lowest, and with a card between bets only if nobody has."""


def act(view):
    seen = view["board"][0]
    card, bets = int(seen[0]), seen[1:]
    if card == view["players"]:
        return "Bet"
    return "Bet" if card and card == view["players"] - 1 and "b" not in bets and bets else "Pass"
