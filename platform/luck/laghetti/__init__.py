"""What the cards of In cammino tra i laghetti were worth: shown, and subtracted from nothing."""

from typing import Final

from luck.judge import DealMeans, GameLuck
from luck.laghetti.deals import ID, RULESET, dealt, uncovered

LUCK: Final = GameLuck(deals=DealMeans(ID, RULESET, uncovered, dealt))
