"""What is known of a stage as plain values, from rows or from the events of a chain, and what follows from it.

Pure functions: the site draws, counts and places by them, and so does whoever checks a proof at home. No Django.
"""

from tournaments.facts.bracket import bracket, misplaced, place_of
from tournaments.facts.course import course_at
from tournaments.facts.going import gone, placed
from tournaments.facts.history import contenders_at, past_rounds
from tournaments.facts.played import rounds_played
from tournaments.facts.replacing import Replaced, bracket_replaced, tables_replaced
from tournaments.facts.results import results
from tournaments.facts.seeding import first_seeds
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
    "course_at",
    "first_seeds",
    "gone",
    "misplaced",
    "past_rounds",
    "place_of",
    "placed",
    "results",
    "rounds_played",
    "tables_replaced",
]
