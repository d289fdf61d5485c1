"""What is known of a stage as plain values, from rows or from the events of a chain, and what follows from it.

Pure functions: the site draws, counts and places by them, and so does the check of a proof at home. No Django.
"""

from tournaments.facts.knockout import (
    Replaced,
    bracket,
    bracket_replaced,
    gone,
    misplaced,
    place_of,
    placed,
    tables_replaced,
)
from tournaments.facts.rounds import contenders_at, counted_results, course_at, first_seeds, past_rounds, rounds_played
from tournaments.facts.tables import ByeGiven, SeatFact, TableFact, TableState

__all__ = [
    "ByeGiven",
    "Replaced",
    "SeatFact",
    "TableFact",
    "TableState",
    "bracket",
    "bracket_replaced",
    "contenders_at",
    "counted_results",
    "course_at",
    "first_seeds",
    "gone",
    "misplaced",
    "past_rounds",
    "place_of",
    "placed",
    "rounds_played",
    "tables_replaced",
]
