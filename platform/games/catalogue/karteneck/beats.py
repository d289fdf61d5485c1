"""The beats of Karteneck: the hands dealt, a grill revealed, a play or a pass with the cards drawn after it, a menu."""

from collections.abc import Sequence
from typing import Final

from games.beats import END, Mark, Weight, ending
from games.frame import Frame
from games.state import CHANCE

_SAID: Final = {
    "play": (1400, Weight.MOVE),
    "pass": (1400, Weight.MOVE),
    "bust": (2000, Weight.KEY),
    "steal": (2400, Weight.TURNING),
    "menu": (3000, Weight.TURNING),
}


def mark(frames: Sequence[Frame]) -> Mark | None:
    """End a beat where a player is to play or pass, after the deal and where a menu has been shared out."""
    frame, phase = frames[-1], frames[-1].view["phase"]
    if frame.key == END:
        return ending()
    if phase == "reveal" and frame.action.startswith("draw "):
        return Mark("deal", CHANCE, 1500, Weight.MOVE)
    if phase != "turn" and frame.key != "menu":
        return None
    if frame.action.startswith("reveal "):
        return Mark("grill", CHANCE, 1500, Weight.MOVE)
    acted = next(one for one in frames if one.actor != CHANCE)
    kind = next((one.key for one in frames if one.key), acted.action.partition(" ")[0])
    return Mark(kind, acted.actor, *_SAID[kind])
