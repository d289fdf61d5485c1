"""Builders: something to play, in one line."""

from typing import Any

from games.catalogue import GAMES, current
from games.protocol import Limits
from games.table import Table
from matches.referee import MatchSpec

RULES = current("pickomino")
FIRST = b"def act(view):\n    return view['actions'][0]\n"
LAST = b"def act(view):\n    return view['actions'][-1]\n"
GREEDY = next(bot for bot in GAMES["pickomino"].house_bots if bot.name == "greedy").source()


def order(*sources: bytes, blocks: int = 1, secret: bytes = b"s" * 16, **kwargs: Any) -> MatchSpec:
    """An order for Pickomino between one-file bots."""
    return MatchSpec(
        ruleset=RULES,
        options=RULES.validate(len(sources), {}),
        limits=kwargs.pop("limits", Limits()),
        secret=secret,
        blocks=blocks,
        entrants=tuple({"bot.py": source} for source in sources),
        **kwargs,
    )


def unwatched(index: int, table: Table) -> None:
    """Nobody looks."""
