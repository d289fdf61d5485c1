"""Lays the lowest card that beats the table, or else the lowest."""


def act(view):
    hand, best = view["hands"][view["you"]], max(view["table"], default=-1)
    return f"lay {next((card for card in hand if card > best), hand[0])}"
