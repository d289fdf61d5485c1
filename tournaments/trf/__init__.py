"""FIDE's tournament report file (TRF16), as pairing programs and checkers read it. No Django, no games."""

from tournaments.trf.crosstable import Game, RoundPlayed, crosstable
from tournaments.trf.report import Cell, Colour, Mark, Player, Report, worth
from tournaments.trf.writing import written

__all__ = [
    "Cell",
    "Colour",
    "Game",
    "Mark",
    "Player",
    "Report",
    "RoundPlayed",
    "crosstable",
    "worth",
    "written",
]
