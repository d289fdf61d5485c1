"""Knockouts of two-player tables: the best seeds meet last, a defeat (or a second one) ends the way."""

from tournaments.formats.knockout.bracket import Bout, Bracket, Side, bracket_of
from tournaments.formats.knockout.placings import Placing
from tournaments.formats.knockout.plan import Feed, Kind, Node, Part, Place, Way, plan_of
from tournaments.formats.knockout.verdict import By, Share, Verdict, verdict_of

__all__ = [
    "Bout",
    "Bracket",
    "By",
    "Feed",
    "Kind",
    "Node",
    "Part",
    "Place",
    "Placing",
    "Share",
    "Side",
    "Verdict",
    "Way",
    "bracket_of",
    "plan_of",
    "verdict_of",
]
