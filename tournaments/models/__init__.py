"""Tournaments, their stages and rounds, and who entered them."""

from tournaments.models.entry import Entry
from tournaments.models.stage import Bye, Fixture, Format, Round, Seed, Stage
from tournaments.models.tournament import ENTERING, PLAYING, Tournament, TournamentState

__all__ = [
    "ENTERING",
    "PLAYING",
    "Bye",
    "Entry",
    "Fixture",
    "Format",
    "Round",
    "Seed",
    "Stage",
    "Tournament",
    "TournamentState",
]
