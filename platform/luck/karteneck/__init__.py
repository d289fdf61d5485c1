"""The luck of Karteneck: the reason why there is no analysis."""

from typing import Final

from luck.judge import GameLuck

LUCK: Final = GameLuck(
    why_none=(
        "The luck of the draw explains next to nothing of a result of Karteneck: taken off, it makes it 1.08 times as"
        " precise. So it is not told."
    )
)
