"""What the keys of the views of In cammino tra i laghetti mean."""

from collections.abc import Mapping
from typing import Final

OF_A_TRICK: Final[Mapping[str, str]] = {
    "leader": "the seat that led",
    "feature": "the feature that the leader named",
    "cards": "the cards played, from the leader on; null for those that you are not told",
    "values": "what each of them shows in that feature",
    "winner": "the seat that won the trick; null while it is played",
}
MEANINGS: Final[Mapping[str, str]] = {
    "phase": "bid, lead a trick, or follow; dealer and deal are chance's",
    "turn": "turns played so far, this one included: a dealing with its bids is one, and so is each trick",
    "schedule": "how many cards each player is dealt, round by round",
    "round": "the round, from 1",
    "cards_each": "how many cards each player was dealt in this round",
    "dealer": "the seat that deals and bids last; null before it is drawn",
    "bids": "the tricks that each seat has bid; null where it has not yet",
    "forbidden": "what the dealer may not bid, because all bids would come true; null when nothing is forbidden",
    "won": "the tricks that each seat has won in this round",
    "scores": "the points of each seat",
    "hands": "the cards in each hand; null for those that you may not see",
    "hand_sizes": "how many cards each hand has",
    "trick": "the trick that is being played, or null",
    "tricks": "the finished tricks of this round",
    "last_trick": "the last trick that was finished, in this round or the one before; null before the first",
    **{f"{place}.{key}": text for place in ("trick", "tricks[]", "last_trick") for key, text in OF_A_TRICK.items()},
    "sheet": "the finished rounds",
    "sheet[].dealer": "the seat that dealt",
    "sheet[].bids": "what each seat bid",
    "sheet[].won": "the tricks that each seat won",
    "sheet[].points": "the points that each seat got",
}
