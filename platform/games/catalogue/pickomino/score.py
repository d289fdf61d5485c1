"""Worms, places and the tie-break (sheet 004, "Fine della partita")."""

from functools import lru_cache

from games.catalogue.grill.score import ranked
from games.catalogue.grill.tiles import worms
from games.catalogue.pickomino.board import PickominoBoard
from games.state import Outcome


@lru_cache(maxsize=1 << 12)
def stack_worms(stack: tuple[int, ...]) -> int:
    return sum(map(worms, stack))


def standing(board: PickominoBoard) -> Outcome:
    """See ``ranked``."""
    return ranked(tuple(map(stack_worms, board.stacks)), board.stacks, board.over)
