"""What a position is made of."""

from typing import NamedTuple

from games.catalogue.heckmeck.board import HeckmeckBoard
from games.catalogue.heckmeck.components import WEASEL
from games.catalogue.heckmeck.turn import Hand, HeckmeckPhase


class HeckmeckFields(NamedTuple):
    board: HeckmeckBoard
    hand: Hand
    phase: HeckmeckPhase
    rolled: str  # chance's last action, while the player chooses from it
    choices: tuple[str, ...]  # the player's legal actions; empty where it is chance's turn

    @property
    def weasel_ready(self) -> bool:
        return weasel_ready(self.board, self.hand)


def weasel_ready(board: HeckmeckBoard, hand: Hand) -> bool:
    """Tell whether the weasel may throw a roll of this turn again: the player has it, and has not used it."""
    return board.has(WEASEL) and hand.rethrown < 0
