"""Request, make and drop analyses: one for each game and value, made by a worker."""

import json
import logging
import time
import zlib
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from typing import Any, Final

from celery import current_app
from django.db import transaction
from django.db.models import Q, QuerySet

from bots.check_queue import checks_wait
from games.record import Record, RecordError
from luck import Decision, GameAccount, Unanalysed, analyse, is_known
from matches.models import Analysis, Contest, Game, Match
from matches.queue.claims import work_waits
from matches.queue.dispatch import UNREACHABLE
from matches.queue.worker_status import slots_up
from web.clock import database_after, database_now

logger = logging.getLogger(__name__)
TASK: Final = "matches.analyse"
LOST: Final = timedelta(seconds=10)  # who took an analysis and made nothing of it for so long has lost it
OVERDUE: Final = timedelta(minutes=10)  # what has waited so long is made though matches wait, one in each slice
REQUESTS_WITHIN: Final = timedelta(minutes=1)
REQUESTS_MOST: Final = 30  # new ones, lately, by one person; by all together who have not signed in
KEPT: Final = timedelta(days=30)  # what an analysis tells: 10 to 30 kB, where its sums are a hundredth of that
DROPPED: Final = 10_000  # at most at once
SLICE: Final = 2.0  # seconds that a worker spends on them each time the sweep sends it
STALE: Final = 5.0  # seconds, until the sweep sends another message
FETCHED: Final = 500  # games for which analyses are ordered at once


class TooManyAnalysesError(Exception):
    """This person has asked for enough new analyses within a minute."""


def analysis_request(*, game: Game, value: str, user_id: int | None) -> Analysis:
    """Return the analysis of a finished game by what has the id ``value``. It may yet have to be made: a worker is told
    so after the commit.

    Raises:
        TooManyAnalysesError: nobody has asked for it yet, and this person for enough others.
    """
    found = Analysis.objects.filter(game=game, value=value).first()
    if found is not None and found.told is not None:
        return found
    if (found is None or not found.is_kept) and _recent_requests(user_id) >= REQUESTS_MOST:
        raise TooManyAnalysesError
    new: dict[str, Any] = {"requested_by_id": user_id, "claimed_at": database_now()}
    if found is None:
        found, fresh = Analysis.objects.get_or_create(game=game, value=value, defaults=new)
    elif not found.is_kept:
        again = {"is_kept": True, "is_ordered": False, "requested_at": database_now()}
        fresh = bool(Analysis.objects.filter(pk=found.pk, is_kept=False).update(**again, **new))
    else:
        fresh = bool(_waiting().filter(pk=found.pk).update(claimed_at=database_now()))
    if fresh:
        transaction.on_commit(partial(_send, found.pk))
    return found


def analyses_order(*, matches: QuerySet[Match], value: str, games: int | None = None) -> int:
    """Have the games of these finished ``matches`` analysed, of each the first so many or all, when workers have time
    for it: the sweep sends them. Return how many are new; they count for no person."""
    lacking = Game.objects.filter(match__in=matches).exclude(analyses__value=value)
    if games is not None:
        lacking = lacking.filter(index__lt=games)
    numbers = list(lacking.order_by("pk").values_list("pk", flat=True)[:FETCHED])
    rows = [
        Analysis(game_id=number, value=value, is_ordered=True, claimed_at=database_after(-2 * LOST))
        for number in numbers
    ]
    Analysis.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


def analyses_advance() -> None:
    """Make what waits, one after the other for a moment, as long as nothing else does: no result, match or check."""
    until = time.monotonic() + SLICE
    while time.monotonic() < until and not _results_wait():
        yields = work_waits() or checks_wait()
        number = _next(overdue=yields)
        if number is None:
            return
        analysis_make(analysis_id=number)
        if yields:
            return


def analyses_drop() -> int:
    """Drop what analyses tell that were made long ago; their sums stay. Return how many."""
    old = Analysis.objects.filter(told__isnull=False, sums__isnull=False, claimed_at__lt=database_after(-KEPT))
    numbers = list(old.order_by("claimed_at").values_list("pk", flat=True)[:DROPPED])
    return Analysis.objects.filter(pk__in=numbers, told__isnull=False).update(told=None, is_kept=False)


def analyses_wait() -> bool:
    """Tell whether there are analyses that nobody sees to."""
    return _waiting().exists()


def analyses_wake() -> None:
    """Send workers to them: half of those that play, one at least. What they have no time for is dropped."""
    for _ in range(max(1, slots_up() // 2)):
        _send()


def analysis_make(*, analysis_id: int) -> None:
    """Make an analysis that is still to be made. It costs a worker a tenth of a second; a second time nothing. One by
    what only a newer release knows waits for a worker of that.
    """
    asked = Analysis.objects.filter(pk=analysis_id, told__isnull=True).select_related("game").first()
    if asked is None:
        return
    record = Record.decode(bytes(asked.game.record))
    if not is_known(record.ruleset, asked.value):
        return
    digest = record.digest.hex()
    twin = Analysis.objects.filter(digest=digest, value=asked.value, told__isnull=False).first()
    made = {"told": twin.told, "sums": twin.sums} if twin else _made(record, asked.value)
    Analysis.objects.filter(pk=analysis_id, told__isnull=True).update(digest=digest, **made)


def analysis_json(analysis: Analysis) -> str | None:
    """Return what the analysis tells, as JSON; None if it is still to be made."""
    return None if analysis.told is None else zlib.decompress(bytes(analysis.told)).decode()


def _made(record: Record, value: str) -> dict[str, Any]:
    try:
        found = analyse(record, value)
    except RecordError as error:
        found = Unanalysed("record", "The record of this game does not hold: %(error)s", {"error": str(error)})
    text = json.dumps(found.to_dict(), separators=(",", ":"))
    return {"told": zlib.compress(text.encode()), "sums": _sums(found) if isinstance(found, GameAccount) else None}


def _sums(found: GameAccount) -> dict[str, list[Any]]:
    own = [[one for one in found.decisions if one.seat == seat and not one.stand_in] for seat in range(found.players)]
    return {
        "luck": list(found.luck),
        "moments": [list(moment) for moment in found.luck_moments[1:]],
        "lost": list(found.lost),
        "decisions": [len(made) for made in own],
        "kinds": [_by_kind(made) for made in own],
        "worst": [max(((one.step, one.lost) for one in made), key=lambda one: one[1], default=(0, 0)) for made in own],
    }


def _by_kind(decisions: Sequence[Decision]) -> dict[str, int]:
    lost: Counter[str] = Counter()
    for one in decisions:
        lost[one.kind] += one.lost
    return dict(lost)


def _next(*, overdue: bool = False) -> int | None:
    """Take the analysis that has waited longest, only an ``overdue`` one if so, unless another worker was faster."""
    waiting = _waiting()
    if overdue:
        waiting = waiting.filter(requested_at__lt=database_after(-OVERDUE))
    for number in waiting.order_by("claimed_at", "pk").values_list("pk", flat=True)[:10]:
        if _waiting().filter(pk=number).update(claimed_at=database_now()):
            return number
    return None


def _results_wait() -> bool:
    return Contest.objects.filter(news_at__isnull=False).exists()


def _waiting() -> QuerySet[Analysis]:
    return Analysis.objects.filter(told__isnull=True, is_kept=True, claimed_at__lt=database_after(-LOST))


def _recent_requests(user_id: int | None) -> int:
    lately = Q(requested_at__gt=database_after(-REQUESTS_WITHIN), is_ordered=False)
    return Analysis.objects.filter(lately, requested_by=user_id).count()


def _send(analysis_id: int | None = None) -> None:
    try:
        if analysis_id is None:
            current_app.send_task(TASK, [], expires=STALE)
        else:
            current_app.send_task(TASK, [analysis_id])
    except UNREACHABLE:
        logger.exception("the broker took no message; the sweeper sends another")
