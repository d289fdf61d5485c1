"""What the keys of the views of Heckmeck am Karteneck mean."""

from collections.abc import Mapping
from typing import Final

MEANINGS: Final[Mapping[str, str]] = {
    "phase": "turn: play or pass; worms: play another worm, or stop; draw, deal, reveal and start are chance's",
    "turn": "turns played so far, this one included",
    "round": "the round, from 1",
    "rounds": "how many rounds the game has",
    "grill": "portions lying face up, the lowest first",
    "stacks": "the portions of each seat, the top one last: only that one can be stolen",
    "worms": "the worms of each seat, as they count at the end",
    "hands": "the cards in each hand; null for those that you may not see",
    "hand_sizes": "how many cards each hand has",
    "displays": "the cards that each seat has played in this round",
    "totals": "what the display of each seat is worth",
    "passed": "whether each seat has passed: valid with a worm, invalid without one, empty if it has not",
    "drawing": "the seat that draws cards or is dealt some, or null",
    "deck": "how many cards are left to draw",
    "discard": "the cards that were put away",
    "next_start": "the seat that begins the next round, as it stands",
    "last": "how the last pass went; null before the first",
    "last.event": "pass with a worm, steal the same with a theft, or bust without a worm",
    "last.seat": "who passed",
    "last.display": "the cards in the display at that moment",
    "last.total": "what they were worth",
    "last.portion": "the portion that was got at once, or null",
    "last.from": "the seat it was stolen from, or null",
    "last.menu": "how the grill was shared out after the last pass of a round, the highest first; empty otherwise",
    "last.menu[].seat": "who got a portion",
    "last.menu[].portion": "which one",
    "last.menu[].display": "by which cards",
    "last.menu[].total": "what they were worth",
    "last.menu[].tag": "the highest number on a worm among them, which decides ties",
}
