"""Knockouts: the best seeds meet last, and a bot is out after one defeat (or two). At larger tables, only the best bots
of each table go on."""

from tournaments.formats.knockout.bracket import (
    Bracket,
    BracketDecision,
    BracketMatch,
    DecidedBy,
    HeatShare,
    Placing,
    Side,
    bracket_of,
    verdict_of,
)
from tournaments.formats.knockout.heats import BoutChange, Heat, Heats, bouts_changed, going_on, heats_of
from tournaments.formats.knockout.plan import BracketSlot, EliminationType, Node, Part, SlotSource, SourceKind, plan_of

__all__ = [
    "BoutChange",
    "Bracket",
    "BracketDecision",
    "BracketMatch",
    "BracketSlot",
    "DecidedBy",
    "EliminationType",
    "Heat",
    "HeatShare",
    "Heats",
    "Node",
    "Part",
    "Placing",
    "Side",
    "SlotSource",
    "SourceKind",
    "bouts_changed",
    "bracket_of",
    "going_on",
    "heats_of",
    "plan_of",
    "verdict_of",
]
