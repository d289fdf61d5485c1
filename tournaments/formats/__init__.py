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
    contenders,
)
from tournaments.formats.round_robin.pairing import round_robin
from tournaments.formats.seating import (
    Design,
    EntrantsError,
    Round,
    Schedule,
    Seating,
    Sizes,
    smallest_table,
    table_sizes,
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
    "contenders",
    "dutch_is_installed",
    "dutch_round",
    "round_robin",
    "smallest_table",
    "swiss_round",
    "table_sizes",
]
