"""What is known of a stage as plain values, from rows or from the events of a chain, and what follows from it.

Pure functions: the site draws, counts and places by them, and so does the check of a proof at home. No Django.
"""

from tournaments.facts.knockout import (
    Replaced,
    bracket,
    bracket_replaced,
    entrants_gone,
    misplaced,
    place_of,
    rows_by_bracket,
    tables_replaced,
)
from tournaments.facts.rounds import (
    ByeGiven,
    SeatFact,
    TableFact,
    TableState,
    contenders_at,
    counted_results,
    course_at,
    first_seeds,
    past_rounds,
    stage_rounds_played,
)

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
    "entrants_gone",
    "first_seeds",
    "misplaced",
    "past_rounds",
    "place_of",
    "rows_by_bracket",
    "stage_rounds_played",
    "tables_replaced",
]
