"""Worms, places and the tie-break (sheet 004, "Fine della partita")."""

from games.rulesets.grill.score import ranked
from games.rulesets.grill.tiles import worms
from games.rulesets.pickomino.board import Board
from games.state import Outcome


def stack_worms(stack: tuple[int, ...]) -> int:
    return sum(map(worms, stack))


def standing(board: Board) -> Outcome:
    """See ``ranked``."""
    return ranked(tuple(map(stack_worms, board.stacks)), board.stacks, board.over)
