"""FIDE's tournament report file (TRF16), as pairing programs and checkers read it. No Django, no games."""

from tournaments.trf.crosstable import RoundPlayed, TrfGame, crosstable
from tournaments.trf.report import Colour, Player, TrfCell, TrfMark, TrfReport, worth
from tournaments.trf.writing import written

__all__ = [
    "Colour",
    "Player",
    "RoundPlayed",
    "TrfCell",
    "TrfGame",
    "TrfMark",
    "TrfReport",
    "crosstable",
    "worth",
    "written",
]
