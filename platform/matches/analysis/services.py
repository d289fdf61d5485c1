"""Request, compute and delete analyses of games. There is one analysis for each game and value function."""

import json
import logging
import time
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from typing import Any, Final

from celery import current_app
from django.db import transaction
from django.db.models import Q, QuerySet

from bots.checks import version_checks_are_waiting
from games.record import Record, RecordError
from luck import Decision, GameAccount, Unanalysed, luck_analyse, luck_value_is_known
from matches.models import Analysis, Contest, Game, Match
from matches.queue.claims import claims_waiting
from matches.queue.dispatch import UNREACHABLE
from matches.queue.worker_status import workers_slots_up
from web.database import database_after, database_now

logger = logging.getLogger(__name__)
TASK: Final = "matches.analyse"
LOST: Final = timedelta(seconds=10)  # a claimed analysis that is not made by then may be claimed again
OVERDUE: Final = timedelta(minutes=10)  # an analysis that has waited longer is overdue
REQUESTS_WITHIN: Final = timedelta(minutes=1)
REQUESTS_MOST: Final = 30  # new analyses for one user, or for all anonymous visitors together
STORED_FOR: Final = timedelta(days=30)  # then the text, 10 to 30 kB, is deleted; its sums, a hundredth of that, stay
DROPPED: Final = 10_000  # the most texts deleted in one call
SLICE: Final = 2.0  # seconds that a worker spends on analyses for each message of the sweep
STALE: Final = 5.0  # seconds; a message that no worker takes in this time expires
FETCHED: Final = 500  # the most games for which one call orders analyses
DIGITS: Final = 9  # decimal places of a share; stored shares are integers in units of 1e-9
SHARES: Final = ("shares", "luck", "luck_moments", "lost", "value", "start", "theirs", "unexplained", "final")


_LISTENERS: Final[list[Callable[..., None]]] = []


class TooManyAnalysesError(Exception):
    """The user has requested ``REQUESTS_MOST`` new analyses within ``REQUESTS_WITHIN``."""


def analysis_listener_register(listener: Callable[..., None]) -> None:
    """Call ``listener(match=...)`` whenever an analysis of a game of ``match`` is stored.

    A room above whose pages depend on analyses calls this once.
    """
    if listener not in _LISTENERS:
        _LISTENERS.append(listener)


def analysis_request(*, game: Game, value: str, user_id: int | None) -> Analysis:
    """Return the analysis of a finished game by the value function with the id ``value``.

    If it is pending, a worker is woken after the commit.

    Raises:
        TooManyAnalysesError: the analysis is new, and the user has reached the limit.
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
        renewed = {"is_kept": True, "is_ordered": False, "requested_at": database_now()}
        fresh = bool(Analysis.objects.filter(pk=found.pk, is_kept=False).update(**renewed, **new))
    else:
        fresh = bool(_waiting().filter(pk=found.pk).update(claimed_at=database_now()))
    if fresh:
        transaction.on_commit(partial(_send, found.pk))
    return found


def analyses_order(*, matches: QuerySet[Match], value: str, games: int | None = None) -> int:
    """Request analyses of the first ``games`` games of each of the finished ``matches``; by default of all games.

    Such analyses have a low priority and do not count against a user's limit. Return the number of new analyses.
    """
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
    """Make pending analyses for up to ``SLICE`` seconds. Stop as soon as results of contests wait to be processed.

    While a match or a check waits, make only one analysis, and only if it is overdue.
    """
    deadline = time.monotonic() + SLICE
    while time.monotonic() < deadline and not _results_wait():
        yields = claims_waiting() or version_checks_are_waiting()
        number = _next(overdue=yields)
        if number is None:
            return
        analysis_make(analysis_id=number)
        if yields:
            return


def analyses_drop() -> int:
    """Delete the texts of old analyses and keep their sums. Return the number of deleted texts."""
    old = Analysis.objects.filter(told__isnull=False, sums__isnull=False, claimed_at__lt=database_after(-STORED_FOR))
    numbers = list(old.order_by("claimed_at").values_list("pk", flat=True)[:DROPPED])
    return Analysis.objects.filter(pk__in=numbers, told__isnull=False).update(told=None, is_kept=False)


def analyses_wait() -> bool:
    """Return whether unclaimed analyses are waiting."""
    return _waiting().exists()


def analyses_wake() -> None:
    """Send a message to half of the workers, at least one. A message that no worker takes within ``STALE`` expires."""
    for _ in range(max(1, workers_slots_up() // 2)):
        _send()


def analysis_make(*, analysis_id: int) -> None:
    """Make a pending analysis, which takes about a tenth of a second. Idempotent.

    If only a newer release knows the value function, leave the analysis to a worker of that release.
    """
    pending = Analysis.objects.filter(pk=analysis_id, told__isnull=True).select_related("game__match").first()
    if pending is None:
        return
    record = Record.decode(bytes(pending.game.record))
    if not luck_value_is_known(record.ruleset, pending.value):
        return
    digest = record.digest.hex()
    twin = Analysis.objects.filter(digest=digest, value=pending.value, told__isnull=False).first()
    made = {"told": twin.told, "sums": twin.sums} if twin else _made(record, pending.value)
    if Analysis.objects.filter(pk=analysis_id, told__isnull=True).update(digest=digest, **made):
        for listener in _LISTENERS:
            listener(match=pending.game.match)


def analysis_json(analysis: Analysis, digits: int = DIGITS) -> str | None:
    """Return the analysis as JSON, with shares rounded to ``digits`` decimal places; None if it is pending."""
    if analysis.told is None:
        return None
    text = zlib.decompress(bytes(analysis.told)).decode()
    if digits >= DIGITS:
        return text
    found = json.loads(text)
    return json.dumps(_rounded(found, digits - DIGITS), separators=(",", ":")) if found["state"] == "ready" else text


def _rounded(found: Any, digits: int, *, is_share: bool = False) -> Any:
    if isinstance(found, dict):
        return {name: _rounded(one, digits, is_share=name in SHARES) for name, one in found.items()}
    if isinstance(found, list):
        return [_rounded(one, digits, is_share=is_share) for one in found]
    return round(found, digits) if is_share and isinstance(found, int) else found


def _made(record: Record, value: str) -> dict[str, Any]:
    try:
        found = luck_analyse(record, value)
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
    """Claim a pending analysis. Return its primary key, or None if there is none.

    It is the one that was claimed longest ago. With ``overdue``, only overdue analyses are claimed.
    """
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
    recent = Q(requested_at__gt=database_after(-REQUESTS_WITHIN), is_ordered=False)
    return Analysis.objects.filter(recent, requested_by=user_id).count()


def _send(analysis_id: int | None = None) -> None:
    try:
        if analysis_id is None:
            current_app.send_task(TASK, [], expires=STALE)
        else:
            current_app.send_task(TASK, [analysis_id])
    except UNREACHABLE:
        logger.exception("the broker took no message; the sweep will send another")
