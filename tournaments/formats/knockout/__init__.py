"""Knockouts: the best seeds meet last, and a defeat (or a second one) ends the way; at larger tables only the best of
each go on."""

from tournaments.formats.knockout.bracket import Bout, Bracket, Side, bracket_of
from tournaments.formats.knockout.heats import Heat, Heats, going_on, heats_of
from tournaments.formats.knockout.placings import Placing
from tournaments.formats.knockout.plan import Feed, Kind, Node, Part, Place, Way, plan_of
from tournaments.formats.knockout.verdict import By, Share, Verdict, verdict_of

__all__ = [
    "Bout",
    "Bracket",
    "By",
    "Feed",
    "Heat",
    "Heats",
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
    "going_on",
    "heats_of",
    "plan_of",
    "verdict_of",
]
