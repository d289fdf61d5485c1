"""Worms, places and the tie-break (sheet 004, "Fine della partita")."""

from games.catalogue.grill.score import ranked, stack_worms
from games.catalogue.pickomino.board import PickominoBoard
from games.state import Outcome


def standing(board: PickominoBoard) -> Outcome:
    """See ``ranked``."""
    return ranked(tuple(map(stack_worms, board.stacks)), board.stacks, board.over)
