"""The value of Heckmeck's positions."""

from functools import partial
from typing import Final

from luck.heckmeck.turns import HeckmeckJudge, heckmeck_turns_ahead
from luck.heckmeck.value import HECKMECK_V1, HECKMECK_V2
from luck.judge import GameLuck, KnownValue

LUCK: Final = GameLuck(
    (
        KnownValue(HECKMECK_V1, partial(HeckmeckJudge, HECKMECK_V1)),
        KnownValue(HECKMECK_V2, partial(HeckmeckJudge, HECKMECK_V2), heckmeck_turns_ahead),
    )
)
