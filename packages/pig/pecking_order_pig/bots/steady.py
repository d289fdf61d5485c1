"""Holds at twenty."""


def act(view):
    return "hold" if view["won"] >= 20 else "roll"
