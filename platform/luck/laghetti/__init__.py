"""The luck of the deal in In cammino tra i laghetti. It is shown, but not used for adjustments."""

from typing import Final

from luck.judge import DealMeans, GameLuck
from luck.laghetti.deals import ID, RULESET, dealt, uncovered

LUCK: Final = GameLuck(deals=DealMeans(ID, RULESET, uncovered, dealt))
