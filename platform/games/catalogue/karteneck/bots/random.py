"""Chickadee: plays at random, and passes only when it must, or occasionally."""

import random
from typing import Any


def act(view: dict[str, Any]) -> str:
    """Return a random action. Pass by choice only with a worm on the display."""
    actions: list[str] = view["actions"]
    worm = any(card[0] == "W" for card in view["displays"][view["you"]])
    plays = [action for action in actions if action != "pass"]
    return random.choice(plays) if plays and not worm else random.choice(actions)
