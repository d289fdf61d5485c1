"""What a number of entries will have to play: known before the start, because it depends on no one's name."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tournaments.formats import Design, EntrantsError, Schedule, round_robin
from tournaments.models import Tournament

MAX_ENTRIES: Final = 100
MAX_GAMES: Final = 100_000  # of one tournament


@dataclass(frozen=True, slots=True)
class Plan:
    """``least`` and ``most``: how often two bots meet. ``games`` counts every game of every match."""

    design: Design
    rounds: int
    matches: int
    games: int
    least: int
    most: int


def schedule_of(tournament: Tournament, entrants: Sequence[int]) -> Schedule:
    """Every round of the tournament for these entries.

    Raises:
        EntrantsError: fewer than a table takes.
    """
    return round_robin(entrants, tournament.players_per_table, bytes(tournament.secret))


def plan_of(tournament: Tournament, entries: int) -> Plan | None:
    """What ``entries`` bots will play, or None while they do not fill a table."""
    shape = _shape(entries, tournament.players_per_table)
    if shape is None:
        return None
    design, rounds, matches, met = shape
    games = matches * tournament.blocks * tournament.players_per_table
    return Plan(design, rounds, matches, games, met.start, met.stop - 1)


@lru_cache(maxsize=256)
def _shape(entries: int, seats: int) -> tuple[Design, int, int, range] | None:
    try:
        schedule = round_robin(range(entries), seats, b"any")
    except EntrantsError:
        return None
    return schedule.design, len(schedule.rounds), sum(map(len, schedule.rounds)), schedule.meetings(range(entries))
