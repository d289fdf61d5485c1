"""Worms, places and the tie-break (sheet 001, "Spielende")."""

from games.catalogue.grill.score import ranked
from games.catalogue.grill.tiles import worms
from games.catalogue.heckmeck.board import HeckmeckBoard
from games.catalogue.heckmeck.components import APPLE, APPLE_WORMS
from games.state import Outcome


def worms_of(board: HeckmeckBoard) -> tuple[int, ...]:
    """Return by seat the worms on tiles, the bratworms, and three for the apple."""
    return tuple(
        sum(map(worms, stack)) + bratworms + (APPLE_WORMS if board.places[APPLE] == seat else 0)
        for seat, (stack, bratworms) in enumerate(zip(board.stacks, board.bratworms, strict=True))
    )


def standing(board: HeckmeckBoard) -> Outcome:
    """See ``ranked``."""
    return ranked(worms_of(board), board.stacks, board.over)
