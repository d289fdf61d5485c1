"""Ratings: the strengths of bots and their uncertainty, as pure functions of places. No Django, no games."""

from ratings.capping import Sides, ratings_fit_capped
from ratings.fitted_ratings import Difference, FittedRating, Ratings, Strengths
from ratings.games import Block, BlockError, Games
from ratings.luck_adjusted import GamesWithLuck
from ratings.priors import ParentError, Prior, prior_of_new_version
from ratings.ranks import Bar, Rank, rank_bars, rating_ranks
from ratings.scale import rating_displayed
from ratings.strengths import strengths_fit, strengths_fit_values

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
    "prior_of_new_version",
    "rank_bars",
    "rating_displayed",
    "rating_ranks",
    "ratings_fit_capped",
    "strengths_fit",
    "strengths_fit_values",
]
