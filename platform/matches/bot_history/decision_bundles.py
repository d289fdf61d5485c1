"""Decisions of a bot for its author: the view before an action, and the action. Bundles replay them with ``peck``.

See ``matches.referee.failure_bundle`` for the format of a bundle.
"""

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpResponse

from bots.models import Bot
from games.protocol import Limits
from games.record import Record, RecordError
from matches.bot_history.logs import bot_logs_of
from matches.bot_history.selectors import FAULT_FIELDS, bot_history_faults
from matches.models import Game, MatchState, Seat
from matches.queue.seat_logs import LoggedGame, seat_logs_games
from matches.referee.failure_bundle import failure_bundle_file
from matches.referee.scoring import scoring_seats_by_position
from matches.replay.seat_decisions import BotDecision, seat_decision_at
from matches.visibility import matches_visible_to_author


@dataclass(frozen=True, slots=True)
class LoggedDecision:
    """A decision of a bot in a match.

    ``printed`` is what the bot printed during the decision, or None if no output is stored. ``slowest_ms`` is the
    processor time of the decision if it was the slowest one of the game, otherwise None.
    """

    made: BotDecision
    printed: str | None
    slowest_ms: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the decision as a dictionary for JSON."""
        return {**self.made.to_dict(), "printed": self.printed, "slowest_ms": self.slowest_ms}


def bot_decision_of(bot: Bot, match: int, index: int, seat: int, step: int) -> LoggedDecision:
    """Return the decision of ``bot``, at ``seat`` of the match, that led to ``step`` of a game.

    If no decision of the bot led to this step, return its last one before ``step``. If there is none, return its first
    one of the game.

    Raises:
        Http404: the bot did not play this seat in a finished match, its author may not see the match, or the bot made
            no decision.
    """
    game, position = _game(bot, match, index, seat)
    try:
        made = seat_decision_at(Record.decode(bytes(game.record)), position, step)
    except RecordError as error:
        raise Http404 from error
    if made is None:
        raise Http404
    log = _log(bot, match, index, seat)
    return LoggedDecision(
        made,
        printed=None if log is None else "".join(text for action, text in log.chunks if action == made.played),
        slowest_ms=log.slowest * 1000 if log is not None and log.slowest_at == made.played else None,
    )


def bot_decision_bundle(bot: Bot, match: int, index: int, seat: int, step: int) -> bytes:
    """Return a file for ``peck replay`` with every request to the bot in a game up to this decision.

    Raises:
        Http404: see ``bot_decision_of``; or a house bot made the decision.
    """
    decision = bot_decision_of(bot, match, index, seat, step).made
    if decision.stood_in:
        raise Http404
    game, position = _game(bot, match, index, seat)
    limits = Limits.from_dict(game.match.limits)
    fault = {"verdict": "", "view": decision.view}
    record = Record.decode(bytes(game.record))
    return failure_bundle_file(record, position, limits, fault, match=match, game=index + 1, turns_most=decision.number)


def _game(bot: Bot, match: int, index: int, seat: int) -> tuple[Game, int]:
    """Return a game, and the position at the table that the bot's seat had in it."""
    seats = Seat.objects.filter(matches_visible_to_author(bot.owner_id), match__state=MatchState.FINISHED)
    if not seats.filter(match__pk=match, index=seat, version__bot=bot).exists():
        raise Http404
    game = Game.objects.select_related("match").filter(match=match, index=index).first()
    if game is None:
        raise Http404
    return game, list(scoring_seats_by_position(index, game.match.seats.count())).index(seat)


def _log(bot: Bot, match: int, index: int, seat: int) -> LoggedGame | None:
    for row in bot_logs_of(bot, match=match).filter(seat__index=seat):
        found = next((one for one in seat_logs_games(bytes(row.content)) if one.index == index), None)
        if found is not None:
            return found
    return None


def _bot_failure_bundle(bot: Bot, match: int, index: int) -> bytes:
    """Return the bundle of the failure of ``bot`` in a game of a match, for its author alone.

    Raises:
        Http404: the bot did not fail in this game, its author may not see the failure yet, or the bundle is no longer
            stored.
    """
    fault = bot_history_faults(bot, match=match).filter(game__index=index, is_kept=True).first()
    if fault is None:
        raise Http404
    played = fault.seat.match
    seats = played.seats.count()
    seat = list(scoring_seats_by_position(index, seats)).index(fault.seat.index)
    fields = {name: getattr(fault, name) for name in FAULT_FIELDS}
    try:
        record = Record.decode(bytes(fault.game.record))
        limits = Limits.from_dict(played.limits)
        return failure_bundle_file(record, seat, limits, fields, match=match, game=index + 1)
    except RecordError as error:
        raise Http404 from error


def decision_bundle_of_failure_response(bot: Bot, match: int, index: int) -> HttpResponse:
    """Return the HTTP response with the bundle of ``_bot_failure_bundle`` as a file."""
    return decision_bundle_response(_bot_failure_bundle(bot, match, index), f"{match}-{index + 1}")


def decision_bundle_response(data: bytes, name: str, kind: str = "failure") -> HttpResponse:
    """Return an HTTP response that sends a bundle as the file "KIND-NAME.zip"."""
    headers = {
        "Content-Disposition": f'attachment; filename="{kind}-{name}.zip"',
        "Cache-Control": "private, no-cache",
    }
    return HttpResponse(data, content_type="application/zip", headers=headers)
