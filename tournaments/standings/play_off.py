"""The play-off for first place: who meets in it, and what it says of them."""

from collections.abc import Mapping, Sequence
from typing import Final

from tournaments.standings.table import DISQUALIFIED, POINTS, Row
from tournaments.standings.tie_breaks import PLAY_OFF

LEVEL_MOST: Final = 8  # bots: of more the lot decides, as they would play more than was announced


def level_for_first(rows: Sequence[Row]) -> list[int]:
    """Return those whom nothing before the play-off tells apart at the top, in the order of their numbers; nobody where
    one is ahead of all others, or where more are level than ``LEVEL_MOST``."""
    level = sorted(rows[0].tied_with.get(PLAY_OFF, ())) if rows else []
    return level if len(level) <= LEVEL_MOST else []


def play_off_places(rows: Sequence[Row], tie_breaks: Sequence[str]) -> Mapping[int, int]:
    """Return the places that the standings of a play-off give, from 1; shared by those whom only a criterion after the
    play-off, such as the lot, tells apart: these are to be told apart by all their matches."""
    apart = {POINTS, DISQUALIFIED, *tie_breaks[: tie_breaks.index(PLAY_OFF) + 1]}
    places: dict[int, int] = {}
    place = 1
    for at, row in enumerate(rows, start=1):
        places[row.entrant] = place
        if row.above_next_by in apart:
            place = at + 1
    return places
