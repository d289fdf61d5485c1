"""Sunday Stroller: any bid, any card, any feature."""

import random
from typing import Any


def act(view: dict[str, Any]) -> str:
    """Return a random action."""
    return str(random.choice(view["actions"]))
