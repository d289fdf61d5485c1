"""Which play-off follows a stage: the site and the check of a proof derive the same one from what was announced."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from games.catalogue import find
from games.ruleset import OptionError, SeatError
from tournaments.formats.draw_position import StageTerms
from tournaments.formats.registry import format_of
from tournaments.formats.round_robin.format import PLAY_OFF_FORMAT
from tournaments.standings import PLAY_OFF

MOST: Final = 3  # play-offs, one after the other


def play_off_after(
    last: StageTerms, *, announced: int, tie_breaks: Sequence[str], ruleset: str, options: Mapping[str, Any]
) -> StageTerms | None:
    """Return the play-off that is played after the stage ``last`` if bots are level for first in it; None if none is.

    ``announced``: how many stages were. It has the tables and matches of the last of them; where fewer bots are level
    than sit at such a table, they play at a smaller one, if the game has it.
    """
    so_far = last.number - announced
    if PLAY_OFF not in tie_breaks or not 0 <= so_far < MOST or format_of(last).has_bracket:
        return None
    smallest = last.players_per_table
    while _is_played_by(smallest - 1, ruleset, options):
        smallest -= 1
    return replace(
        last,
        number=last.number + 1,
        format=PLAY_OFF_FORMAT.code,
        rounds=0,
        entrants=0,
        smallest_table=smallest,
        third_place=False,
    )


def _is_played_by(players: int, ruleset: str, options: Mapping[str, Any]) -> bool:
    try:
        find(ruleset).validate(players, options)
    except (SeatError, OptionError):
        return False
    return players > 1
