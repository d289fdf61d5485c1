"""The value of Pickomino's positions: a fitted formula for boards, and an exact calculation of turns from it."""

from functools import partial
from typing import Final

from luck.judge import GameLuck, KnownValue
from luck.pickomino.turns import PickominoJudge
from luck.pickomino.value import PICKOMINO_V1

LUCK: Final = GameLuck((KnownValue(PICKOMINO_V1, partial(PickominoJudge, PICKOMINO_V1)),))
