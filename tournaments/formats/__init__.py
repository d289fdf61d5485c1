"""Formats: who meets whom, as pure functions of the entrants and the tournament's secret. No Django, no games."""

from tournaments.formats.contenders import Past, RankedEntrant, contenders
from tournaments.formats.draw import Float, PairedBye, PairedTable, Rematch, RoundPairings, SeatAssignment
from tournaments.formats.dutch.pairing import DutchError, dutch_is_installed, dutch_round
from tournaments.formats.round_robin.pairing import round_robin
from tournaments.formats.schedule import Design, EntrantsError, Round, Schedule, Seating
from tournaments.formats.sizes import Sizes, smallest_table, table_sizes
from tournaments.formats.swiss.pairing import swiss_round

__all__ = [
    "Design",
    "DutchError",
    "EntrantsError",
    "Float",
    "PairedBye",
    "PairedTable",
    "Past",
    "RankedEntrant",
    "Rematch",
    "Round",
    "RoundPairings",
    "Schedule",
    "SeatAssignment",
    "Seating",
    "Sizes",
    "contenders",
    "dutch_is_installed",
    "dutch_round",
    "round_robin",
    "smallest_table",
    "swiss_round",
    "table_sizes",
]
