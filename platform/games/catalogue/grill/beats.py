"""The beats of the two games at the grill: a roll with the dice kept of it, and how a turn ends."""

from collections.abc import Sequence
from typing import Final

from games.beats import END, Mark, Weight, ending
from games.frame import Frame

DECIDE: Final = "decide"  # the phase after dice were kept
_TURN_ENDS: Final = {"take": (1800, Weight.KEY), "bust": (2000, Weight.KEY), "steal": (2400, Weight.TURNING)}


def mark(frames: Sequence[Frame]) -> Mark | None:
    """End a beat where dice were kept ("keep"), a roll is thrown again ("weasel") or a turn has ended."""
    frame = frames[-1]
    if frame.key == END:
        return ending()
    if frame.key:
        return Mark(frame.key, frame.view["last"]["seat"], *_TURN_ENDS[frame.key])
    if frame.view["phase"] == DECIDE:
        return Mark("keep", frame.actor, 1300, Weight.MOVE)
    if frame.action == "use weasel":
        return Mark("weasel", frame.actor, 1300, Weight.MOVE)
    return None
