"""Read the newest analysed games of a bot, with the losses and the luck of each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bots.models import Bot
from luck import UNIT
from matches.bot_history.selectors import ListReader
from matches.models import Analysis
from matches.referee.scoring import scoring_seats_by_position

GAMES_MOST: Final = 2000  # older games are ignored
POINTS: Final = 100 / UNIT


@dataclass(frozen=True, slots=True)
class AnalysedGame:
    """An analysed game of a bot.

    ``lost``, ``luck`` and ``kinds`` are in percentage points. ``kinds`` has the losses by kind of decision. ``worst``
    is the step of the costliest decision and its loss in 1e-9 shares. ``seat`` is the bot's seat in the match, and
    ``position`` its position at the table of this game.
    """

    analysis: int
    value: str
    match: int
    game: int  # from 1
    seat: int
    position: int
    version: int
    decisions: int
    lost: float
    luck: float
    kinds: Mapping[str, float]
    worst: Sequence[int]


def games_analysed(bot: Bot, reader: ListReader) -> list[AnalysedGame]:
    """Return the newest analysed games of ``bot`` that ``reader`` may see. One query.

    Games in which the bot decided nothing are left out.
    """
    shown = reader.finished("game__match__seats__")
    analyses = Analysis.objects.filter(shown, sums__isnull=False, game__match__seats__version__bot=bot)
    fields = ("match", "index", "match__seats__index", "match__seats__version__number", "places")
    found = analyses.order_by("-game__match", "game__index")
    rows = found.values_list("pk", "value", "sums", *(f"game__{one}" for one in fields))
    return [game for row in rows[:GAMES_MOST] if (game := _game(*row)) is not None]


def _game(
    analysis: int,
    value: str,
    sums: Mapping[str, Any],
    match: int,
    index: int,
    seat: int,
    version: int,
    places: Sequence[int],
) -> AnalysedGame | None:
    position = scoring_seats_by_position(index, len(places)).index(seat)
    decisions = sums["decisions"][position]
    if not decisions:
        return None
    kinds = {kind: lost * POINTS for kind, lost in sums["kinds"][position].items()}
    lost, luck = sums["lost"][position] * POINTS, sums["luck"][position] * POINTS
    worst = sums["worst"][position]
    return AnalysedGame(analysis, value, match, index + 1, seat, position, version, decisions, lost, luck, kinds, worst)
