"""Sunday Stroller: any bid, any card, any feature."""

import random


def act(view):
    """A random action."""
    return random.choice(view["actions"])
