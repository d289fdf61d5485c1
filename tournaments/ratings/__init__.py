"""Ratings: how strong the bots are and how sure that is, as pure functions of places. No Django, no games."""

from tournaments.ratings.bars import Bar, bars
from tournaments.ratings.capping import Sides, fit_capped
from tournaments.ratings.games import Block, BlockError, Games
from tournaments.ratings.ranks import Rank, ranks
from tournaments.ratings.rated import Difference, Rating, Ratings
from tournaments.ratings.scale import displayed
from tournaments.ratings.strengths import ParentError, Prior, fit, new_version

__all__ = [
    "Bar",
    "Block",
    "BlockError",
    "Difference",
    "Games",
    "ParentError",
    "Prior",
    "Rank",
    "Rating",
    "Ratings",
    "Sides",
    "bars",
    "displayed",
    "fit",
    "fit_capped",
    "new_version",
    "ranks",
]
