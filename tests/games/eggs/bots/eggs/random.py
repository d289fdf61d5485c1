"""Any egg."""

import random
from typing import Any


def act(view: dict[str, Any]) -> str:
    """A legal action by lot."""
    actions: list[str] = view["actions"]
    return random.choice(actions)
