"""Worms, places and the tie-break (sheet 001, "Spielende")."""

from games.catalogue.grill.score import ranked, stack_worms
from games.catalogue.heckmeck.board import HeckmeckBoard
from games.catalogue.heckmeck.components import APPLE, APPLE_WORMS
from games.state import Outcome


def worms_of(board: HeckmeckBoard) -> tuple[int, ...]:
    """Return by seat the worms on tiles, the bratworms, and three for the apple."""
    found = [stack_worms(stack) + bratworms for stack, bratworms in zip(board.stacks, board.bratworms, strict=True)]
    owner = board.places[APPLE]
    if 0 <= owner < len(found):
        found[owner] += APPLE_WORMS
    return tuple(found)


def standing(board: HeckmeckBoard) -> Outcome:
    """See ``ranked``."""
    return ranked(worms_of(board), board.stacks, board.over)
