"""Formats: who meets whom, as pure functions of the entrants and the tournament's secret. No Django, no games."""

from tournaments.formats.contenders import Contender, Past, contenders
from tournaments.formats.draw import Bye, Chair, Draw, Float, Meeting, Table
from tournaments.formats.dutch import DutchError, dutch_is_installed, dutch_round
from tournaments.formats.round_robin import round_robin
from tournaments.formats.schedule import Design, EntrantsError, Round, Schedule, Seating
from tournaments.formats.sizes import Sizes, smallest_table, table_sizes
from tournaments.formats.swiss import swiss_round

__all__ = [
    "Bye",
    "Chair",
    "Contender",
    "Design",
    "Draw",
    "DutchError",
    "EntrantsError",
    "Float",
    "Meeting",
    "Past",
    "Round",
    "Schedule",
    "Seating",
    "Sizes",
    "Table",
    "contenders",
    "dutch_is_installed",
    "dutch_round",
    "round_robin",
    "smallest_table",
    "swiss_round",
    "table_sizes",
]
