"""A failure as a file for its author, to play again at home: see ``matches.referee.failure_bundle``."""

from django.http import Http404, HttpResponse

from bots.models import Bot
from games.protocol import Limits
from games.record import Record, RecordError
from matches.bot_history.selectors import FAULT_FIELDS, bot_faults
from matches.referee.failure_bundle import bundle_file
from matches.referee.rotation import seats_by_position


def bundle_of(bot: Bot, match: int, index: int) -> bytes:
    """Return the bundle of the failure of ``bot`` in a game of a match, for its author alone.

    Raises:
        Http404: it did not fail there, its author may not look at it yet, or it is no longer kept.
    """
    fault = bot_faults(bot, match=match).filter(game__index=index, is_kept=True).first()
    if fault is None:
        raise Http404
    played = fault.seat.match
    seats = played.seats.count()
    seat = list(seats_by_position(index, seats)).index(fault.seat.index)
    fields = {name: getattr(fault, name) for name in FAULT_FIELDS}
    try:
        record = Record.decode(bytes(fault.game.record))
        limits = Limits.from_dict(played.limits)
        return bundle_file(record, seat, limits, fields, match=match, game=index + 1)
    except RecordError as error:
        raise Http404 from error


def bundle_response(bot: Bot, match: int, index: int) -> HttpResponse:
    """Return the answer that has the bundle; see ``bundle_of``."""
    return bundle_attached(bundle_of(bot, match, index), f"{match}-{index + 1}")


def bundle_attached(data: bytes, name: str, kind: str = "failure") -> HttpResponse:
    """Return the answer that has a bundle as the file "KIND-NAME.zip"."""
    headers = {
        "Content-Disposition": f'attachment; filename="{kind}-{name}.zip"',
        "Cache-Control": "private, no-cache",
    }
    return HttpResponse(data, content_type="application/zip", headers=headers)
