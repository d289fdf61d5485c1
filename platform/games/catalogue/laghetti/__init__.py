"""In cammino tra i laghetti: a trick-taking game with bids, whose cards have four values each (sheet 003)."""

from games.catalogue.laghetti.ruleset import LAGHETTI

__all__ = ["LAGHETTI"]
