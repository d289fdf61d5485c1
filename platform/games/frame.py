"""One frame: what a viewer of a game is shown at once, and the action that led there."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Frame:
    """One moment of a game as its spectator sees it, and the action that led there."""

    n: int  # from 0, the start
    actor: int  # who played the action; CHANCE for dice and decks, and for frame 0
    action: str  # "" for frame 0
    cause: str  # the verdict for which a stand-in played it, or ""
    key: str  # "", or what a viewer jumps to: "take", "steal", "bust", "end"
    turn: int  # the turn that the action was part of
    view: dict[str, Any]
