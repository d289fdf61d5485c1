"""The value of Pickomino's positions. A fitted formula gives the values of boards; turns are calculated exactly."""

from functools import partial
from typing import Final

from luck.judge import GameLuck, KnownValue
from luck.pickomino.turns import PickominoJudge
from luck.pickomino.value import PICKOMINO_V1

LUCK: Final = GameLuck((KnownValue(PICKOMINO_V1, partial(PickominoJudge, PICKOMINO_V1)),))
