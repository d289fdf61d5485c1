"""Public names for the luck analysis of a game. See docs/how-to/add-a-game.md."""

from luck.game_account import POINT, Alternative, Deal, DealtGame
from luck.judge import DealMeans, GameLuck, Judge, KnownValue, Value
from luck.shares import UNIT, Shares, rounded, shares_of

__all__ = [
    "POINT",
    "UNIT",
    "Alternative",
    "Deal",
    "DealMeans",
    "DealtGame",
    "GameLuck",
    "Judge",
    "KnownValue",
    "Shares",
    "Value",
    "rounded",
    "shares_of",
]
