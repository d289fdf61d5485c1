"""Knockouts: the best seeds meet last.

At tables of two, a bot is out after one defeat, or after two in a double elimination. At larger tables, only the best
bots of each table go on.
"""

from tournaments.formats.knockout.bracket import (
    Bracket,
    BracketDecision,
    BracketMatch,
    DecidedBy,
    HeatShare,
    Placing,
    Side,
    bracket_decision_of,
    bracket_of,
)
from tournaments.formats.knockout.heats import BoutChange, Heat, Heats, heat_advancing, heat_bouts_changed, heats_of
from tournaments.formats.knockout.plan import (
    BracketSlot,
    EliminationType,
    Node,
    Part,
    SlotSource,
    SourceKind,
    knockout_plan_of,
)

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
    "bracket_decision_of",
    "bracket_of",
    "heat_advancing",
    "heat_bouts_changed",
    "heats_of",
    "knockout_plan_of",
]
