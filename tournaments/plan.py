"""What a number of entries will have to play: known before the start, because it depends on no one's name."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tournaments.formats import EntrantsError, Schedule, round_robin, table_sizes
from tournaments.models import Tournament

MAX_ENTRIES: Final = 100
MAX_GAMES: Final = 100_000  # of one tournament


@dataclass(frozen=True, slots=True)
class Plan:
    """``least`` and ``most``: how often two bots meet, in a round robin. ``games`` counts every game of every match."""

    rounds: int
    matches: int
    games: int
    least: int | None = None
    most: int | None = None
    byes: int = 0  # a round


def schedule_of(tournament: Tournament, entrants: Sequence[int]) -> Schedule:
    """Every round of a round robin for these entries.

    Raises:
        EntrantsError: fewer than a table takes.
    """
    return round_robin(entrants, tournament.players_per_table, bytes(tournament.secret))


def plan_of(tournament: Tournament, entries: int) -> Plan | None:
    """What ``entries`` bots will play (in a Swiss, if none leaves or comes), or None while they do not fill a table."""
    if tournament.is_swiss:
        return _plan_of_swiss(tournament, entries)
    shape = _shape(entries, tournament.players_per_table)
    if shape is None:
        return None
    rounds, matches, met = shape
    games = matches * tournament.blocks * tournament.players_per_table
    return Plan(rounds, matches, games, met.start, met.stop - 1)


def _plan_of_swiss(tournament: Tournament, entries: int) -> Plan | None:
    sizes = table_sizes(entries, tournament.players_per_table, tournament.smallest_table)
    if sizes is None:
        return None
    games = tournament.rounds * sum(sizes.tables) * tournament.blocks
    return Plan(tournament.rounds, tournament.rounds * len(sizes.tables), games, byes=sizes.byes)


@lru_cache(maxsize=256)
def _shape(entries: int, seats: int) -> tuple[int, int, range] | None:
    try:
        schedule = round_robin(range(entries), seats, b"any")
    except EntrantsError:
        return None
    return len(schedule.rounds), sum(map(len, schedule.rounds)), schedule.meetings(range(entries))
