"""Analyses of games: one for each record and value, made by a worker when somebody first asks for it."""

import json
import logging
import zlib
from datetime import timedelta
from functools import partial
from typing import Any, Final

from celery import current_app
from django.db import transaction
from django.db.models import Q

from games.record import Record, RecordError
from luck import Account, Unanalysed, analyse, value_of
from matches.models import Analysis, Game
from matches.queue.dispatch import UNREACHABLE
from web.clock import database_after, database_now

logger = logging.getLogger(__name__)

TASK: Final = "matches.analyse"
LOST: Final = timedelta(seconds=10)  # a message of which nothing was heard for so long is sent again
LATELY: Final = timedelta(minutes=1)
ASKED_MOST: Final = 30  # new ones, lately, by one person; by all together who have not signed in


class TooManyAskedError(Exception):
    """This person has asked for enough new analyses within a minute."""


def analysis_ask(*, game: Game, ruleset: str, user_id: int | None) -> Analysis:
    """Return the analysis of a finished game, which may yet have to be made: a worker is told so after the commit.

    Raises:
        TooManyAskedError: nobody has asked for it yet, and this person for enough others.
        RecordError: what is stored is no record.
    """
    digest, value = Record.decode(bytes(game.record)).digest.hex(), value_of(ruleset)
    found = Analysis.objects.filter(digest=digest, value=value).first()
    if found is None:
        if _asked_lately(user_id) >= ASKED_MOST:
            raise TooManyAskedError
        asked: dict[str, Any] = {"game": game, "asked": database_now(), "asked_by_id": user_id}
        found, fresh = Analysis.objects.get_or_create(digest=digest, value=value, defaults=asked)
    else:
        overdue = Q(told__isnull=True, asked__lt=database_after(-LOST))
        fresh = bool(Analysis.objects.filter(overdue, pk=found.pk).update(asked=database_now()))
    if fresh:
        transaction.on_commit(partial(_send, found.pk))
    return found


def analysis_make(*, analysis_id: int) -> None:
    """Make an analysis that is still to be made. It costs a worker a tenth of a second; a second time nothing."""
    asked = Analysis.objects.filter(pk=analysis_id, told__isnull=True).select_related("game").first()
    if asked is None:
        return
    try:
        found = analyse(Record.decode(bytes(asked.game.record)))
    except RecordError as error:
        found = Unanalysed("record", "The record of this game does not hold: %(error)s", {"error": str(error)})
    text = json.dumps(found.to_dict(), separators=(",", ":"))
    sums = _sums(found) if isinstance(found, Account) else None
    Analysis.objects.filter(pk=analysis_id, told__isnull=True).update(told=zlib.compress(text.encode()), sums=sums)


def analysis_json(analysis: Analysis) -> str | None:
    """Return what the analysis tells, as JSON; None if it is still to be made."""
    return None if analysis.told is None else zlib.decompress(bytes(analysis.told)).decode()


def _sums(found: Account) -> dict[str, list[int]]:
    seats = range(found.players)
    made = [sum(one.seat == seat and not one.stand_in for one in found.decisions) for seat in seats]
    return {"luck": list(found.luck), "lost": list(found.lost), "decisions": made}


def _asked_lately(user_id: int | None) -> int:
    return Analysis.objects.filter(asked_by=user_id, asked__gt=database_after(-LATELY)).count()


def _send(analysis_id: int) -> None:
    try:
        current_app.send_task(TASK, [analysis_id])
    except UNREACHABLE:
        logger.exception("the broker took no message; the analysis is made when it is asked for again")
