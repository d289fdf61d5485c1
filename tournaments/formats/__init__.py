"""Formats: pairings as pure functions of the entrants and the tournament's secret, without Django or games."""

from tournaments.formats.dutch.pairing import DutchError, dutch_is_installed, dutch_round
from tournaments.formats.pairings import (
    Float,
    PairedBye,
    PairedTable,
    Past,
    RankedEntrant,
    Rematch,
    RoundPairings,
    SeatAssignment,
    pairings_contenders_of,
)
from tournaments.formats.round_robin.pairing import round_robin
from tournaments.formats.seating import (
    Design,
    EntrantsError,
    Round,
    Schedule,
    Seating,
    Sizes,
    seating_smallest_table,
    seating_table_sizes,
)
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
    "dutch_is_installed",
    "dutch_round",
    "pairings_contenders_of",
    "round_robin",
    "seating_smallest_table",
    "seating_table_sizes",
    "swiss_round",
]
