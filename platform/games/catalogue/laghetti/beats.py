"""The beats of laghetti: a hand dealt, a bid, a card, a trick, a round."""

from collections.abc import Sequence

from games.beats import END, Mark, Weight, ending
from games.frame import Frame
from games.state import CHANCE


def mark(frames: Sequence[Frame]) -> Mark | None:
    """End a beat with the last card dealt, with each bid ("bids": the last one) and with each card."""
    frame = frames[-1]
    if frame.key == END:
        return ending()
    phase, action = frame.view["phase"], frame.action.partition(" ")[0]
    if frame.key:
        return Mark("round", frame.view["last_trick"]["winner"], 2400, Weight.KEY)
    if action == "draw":
        return Mark("deal", CHANCE, 1500, Weight.MOVE) if phase == "bid" else None
    if action == "bid":
        last = phase == "lead"
        return Mark("bids", frame.actor, 1200, Weight.MOVE) if last else Mark("bid", frame.actor, 700, Weight.STEP)
    if action != "play":
        return None
    if phase == "lead":
        return Mark("trick", frame.view["last_trick"]["winner"], 1500, Weight.MOVE)
    return Mark("card", frame.actor, 900, Weight.STEP)
