"""The luck of the deal in In cammino tra i laghetti. It is shown, but not used for adjustments."""

from typing import Final

from luck.judge import DealMeans, GameLuck
from luck.laghetti.deals import ID, RULESET, laghetti_deals_luck, laghetti_deals_uncovered

LUCK: Final = GameLuck(deals=DealMeans(ID, RULESET, laghetti_deals_uncovered, laghetti_deals_luck))
