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
    format_contenders,
)
from tournaments.formats.round_robin.pairing import round_robin
from tournaments.formats.seating import (
    Design,
    EntrantsError,
    Round,
    Schedule,
    Seating,
    Sizes,
    swiss_smallest_table,
    swiss_table_sizes,
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
    "format_contenders",
    "round_robin",
    "swiss_round",
    "swiss_smallest_table",
    "swiss_table_sizes",
]
