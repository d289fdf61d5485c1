"""Worms, places and the tie-break (sheet 004, "Fine della partita")."""

from games.rulesets.pickomino.board import Board
from games.rulesets.pickomino.rules import worms
from games.state import Outcome


def stack_worms(stack: tuple[int, ...]) -> int:
    return sum(map(worms, stack))


def standing(board: Board) -> Outcome:
    """Most worms win; among equals the highest single tile; seats without tiles share."""
    merits = [(stack_worms(stack), max(stack, default=0)) for stack in board.stacks]
    points = tuple(worms for worms, _ in merits)
    places = tuple(1 + sum(other > own for other in merits) for own in merits)
    broken = len(set(merits)) > len(set(points))
    return Outcome(points, places, board.over, "highest_tile" if broken else "")
