"""A stage as it was announced: all that a format needs to know of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class StageTerms:
    """As announced; see ``models.Stage``."""

    number: int
    format: str
    rounds: int
    entrants: int
    players_per_table: int
    smallest_table: int
    blocks: int
    stopping: Mapping[str, Any]
    third_place: bool

    @property
    def bye_points(self) -> int:
        """What a bye is worth: as much as beating everyone at a full table."""
        return self.players_per_table - 1
