"""The lightest egg that is best so far, or the lightest of all."""

from typing import Any


def act(view: dict[str, Any]) -> str:
    """Leads with the heaviest egg; else beats the nest by as little as can be, or throws the lightest egg away."""
    hand: list[int] = view["hands"][view["you"]]
    if not view["nest"]:
        return f"lay {max(hand)}"
    return f"lay {min([egg for egg in hand if egg > max(view['nest'])] or hand)}"
