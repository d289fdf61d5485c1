"""The play-off that may follow a stage. The site and the check of a proof derive it from the same announced terms."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from games.catalogue import find
from games.ruleset import OptionError, SeatError
from tournaments.formats.draw_position import StageTerms
from tournaments.formats.registry import format_of
from tournaments.formats.round_robin.format import PLAY_OFF_FORMAT
from tournaments.standings import PLAY_OFF

MOST: Final = 3  # play-offs in a row


def play_off_after(
    last: StageTerms, *, announced: int, tie_breaks: Sequence[str], ruleset: str, options: Mapping[str, Any]
) -> StageTerms | None:
    """Return the terms of the play-off after the stage ``last``; None if there is no play-off.

    A play-off is played if bots are tied for first place. ``announced`` is the number of announced stages. Tables and
    matches of the play-off are like those of the last announced stage. If fewer bots are tied than such a table seats,
    they play at a smaller table, if the game allows it.
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
