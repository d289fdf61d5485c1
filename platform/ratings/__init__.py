"""Ratings: the strengths of bots and their uncertainty, as pure functions of places. No Django, no games."""

from ratings.capping import Sides, fit_capped
from ratings.games import Block, BlockError, Games
from ratings.luck_adjusted import GamesWithLuck
from ratings.priors import ParentError, Prior, new_version
from ratings.ranks import Bar, Rank, bars, ranks
from ratings.rated import Difference, FittedRating, Ratings, Strengths
from ratings.scale import displayed
from ratings.strengths import fit, fit_strengths

__all__ = [
    "Bar",
    "Block",
    "BlockError",
    "Difference",
    "FittedRating",
    "Games",
    "GamesWithLuck",
    "ParentError",
    "Prior",
    "Rank",
    "Ratings",
    "Sides",
    "Strengths",
    "bars",
    "displayed",
    "fit",
    "fit_capped",
    "fit_strengths",
    "new_version",
    "ranks",
]
