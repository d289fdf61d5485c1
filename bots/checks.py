"""The checks of versions: their queue, and how a check is finished, repeated or held.

A version's state changes by one conditional update, so a repeated message changes nothing. These are the changes:

queued -> checking -> accepted | refused and, when the platform failed, checking -> queued

Authors take turns, and at most one version of each is checked at a time. Messages do not name a version: a free worker
claims the next version here. So a lost message only costs time.
"""

import logging
from collections.abc import Mapping
from datetime import timedelta
from types import MappingProxyType
from typing import Any, Final

from celery import current_app
from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce
from django.utils import timezone
from kombu.exceptions import OperationalError

from bots.hook_events import verdict_event_publish
from bots.models import CHECK_FAULTS_AT_MOST, Bot, BotVersion, CheckTurn, VersionState
from games.catalogue import GAMES
from games.catalogue.code import game_code
from web.database import database_after, database_json_cleaned, database_now, database_rows

logger = logging.getLogger(__name__)

# The pause before the next check of a version whose checks have failed repeatedly because of the platform.
RETRY_AFTER: Final = timedelta(seconds=60)
GAME_FAULT_KEPT: Final = 300  # letters of the error that are stored
RELEASED_AT_ONCE: Final = 100  # versions, held because of the code of their game, that are released at once
QUICK_RETRIES: Final = 3  # checks of a version that may fail because of the platform before it has to pause


def version_check_beat(*, version_id: int, attempt: int) -> bool:
    """Renew the lease. Return False if it was lost: then the results of the attempt are ignored."""
    until = database_after(timedelta(seconds=settings.LEASE_SECONDS))
    return bool(_held(version_id, attempt).update(lease_expires_at=until))


def version_check_accept(*, version_id: int, attempt: int, report: Mapping[str, Any]) -> bool:
    """Accept the version. It becomes current unless a newer one is. Return False if the attempt has lost the lease."""
    with transaction.atomic():
        # Lock the bot before its version. The deletion of the bot locks in the same order, so there is no deadlock.
        bool(Bot.objects.select_for_update(no_key=True).filter(versions=version_id))
        if not _close(version_id, attempt, VersionState.ACCEPTED, report):
            return False
        version = BotVersion.objects.only("bot_id", "number").get(pk=version_id)
        older = Q(current=None) | Q(current__number__lt=version.number)
        database_rows(Bot.objects.filter(older, pk=version.bot_id)).update(current=version)
        verdict_event_publish(version_id=version_id)
    return True


def version_check_refuse(*, version_id: int, attempt: int, report: Mapping[str, Any]) -> bool:
    """Refuse the version because of the bot's fault. Return False if the attempt has lost the lease."""
    with transaction.atomic():
        if not _close(version_id, attempt, VersionState.REFUSED, report):
            return False
        verdict_event_publish(version_id=version_id)
    return True


def version_check_requeue(*, version_id: int, attempt: int, is_fault: bool = True, game_fault: str = "") -> bool:
    """Return the version to the queue after a fault of the platform. Return False if the attempt has lost the lease.

    A version whose checks fail repeatedly waits a minute before the next check, so that it does not keep a worker busy.
    With ``is_fault`` the fault is counted. At the ``CHECK_FAULTS_AT_MOST``-th fault the version is held for staff,
    because it may be the cause.

    ``game_fault`` describes a fault in the code of the game. Then the version is held until that code changes
    (``version_checks_release``), immediately if another version is held for the same code.
    """
    held = Q(pk=version_id, state=VersionState.CHECKING, check_attempt=attempt)
    report, faults = {}, int(is_fault)
    if game_fault:
        game = Bot.objects.values_list("game", flat=True).get(versions=version_id)
        report = {"game_fault": game_fault[:GAME_FAULT_KEPT], "game_code": _game_code(game)}
        if version_checks_held_for_games().filter(bot__game=game, report__game_code=report["game_code"]).exists():
            faults = CHECK_FAULTS_AT_MOST
    not_before = None if attempt <= QUICK_RETRIES else database_after(RETRY_AFTER)
    return _requeue(held, not_before, faults=faults, report=report)


def version_check_repeat(*, version_id: int) -> bool:
    """Release a held version for another check, and reset its faults.

    Return False, and change nothing, if it is not held.
    """
    held = BotVersion.objects.filter(pk=version_id, state=VersionState.QUEUED, check_faults__gte=CHECK_FAULTS_AT_MOST)
    with transaction.atomic():
        let_go = bool(held.update(check_faults=0, lease_expires_at=None, report={}))
        if let_go:
            version_check_send()
    return let_go


def version_checks_release() -> int:
    """Release the versions that were held because of the code of their game, if that code has changed since. Return
    their number.
    """
    held = version_checks_held_for_games()
    # Versions of games whose code is unchanged or missing; excluded in the query, so that they do not delay other
    # games.
    same = Q()
    for game in held.order_by().values_list("bot__game", flat=True).distinct():
        same |= Q(bot__game=game, report__game_code=_game_code(game)) if game in GAMES else Q(bot__game=game)
    released = held.exclude(same).order_by("pk").values_list("pk", flat=True)[:RELEASED_AT_ONCE]
    return sum(version_check_repeat(version_id=pk) for pk in list(released))


def version_checks_expire() -> int:
    """Queue versions again whose worker's lease has expired, which counts as a fault. Return their number."""
    overdue = Q(state=VersionState.CHECKING, lease_expires_at__lt=database_now())
    ids = list(BotVersion.objects.filter(overdue).values_list("pk", flat=True))
    return sum(_requeue(overdue & Q(pk=version_id), None, faults=1) for version_id in ids)


def _held(version_id: int, attempt: int) -> Any:
    return BotVersion.objects.filter(pk=version_id, state=VersionState.CHECKING, check_attempt=attempt)


def _close(version_id: int, attempt: int, state: VersionState, report: Mapping[str, Any]) -> bool:
    return bool(
        _held(version_id, attempt).update(
            state=state,
            report=database_json_cleaned(report),
            checked_at=timezone.now(),
            lease_expires_at=None,
            checked_for=None,
        )
    )


def version_checks_held_for_games() -> QuerySet[BotVersion]:
    """Return the versions that are held until the code of their game changes."""
    held = BotVersion.objects.filter(state=VersionState.QUEUED, check_faults__gte=CHECK_FAULTS_AT_MOST)
    return held.filter(report__game_fault__isnull=False)


def _game_code(game: str) -> str:
    """Return the version of the installed code of a game; "" if it is not installed."""
    return str(game_code(game)) if game in GAMES else ""


def _requeue(
    which: Q, not_before: Combinable | None, *, faults: int, report: Mapping[str, str] = MappingProxyType({})
) -> bool:
    with transaction.atomic():
        versions = list(BotVersion.objects.select_for_update().filter(which).only("pk", "check_faults"))
        waits = {"state": VersionState.QUEUED, "lease_expires_at": not_before, "checked_for": None}
        now = {"check_faults": F("check_faults") + faults, "report": database_json_cleaned(dict(report))}
        changed = bool(BotVersion.objects.filter(which).update(**waits, **now))
        for version in versions:
            if faults and version.check_faults + faults >= CHECK_FAULTS_AT_MOST:
                logger.error("version %d is held: %d of its checks were void", version.pk, CHECK_FAULTS_AT_MOST)
        if changed and not_before is None:
            version_check_send()
    return changed


REMEMBERED: Final = timedelta(minutes=10)  # how long the author's last check is considered for the order of the queue
WAKE_AT_ONCE: Final = 4  # messages that one sweep sends
STALE: Final = 20.0  # seconds after which a message is dropped; the sweep sends new ones
TRIES: Final = 5


def version_claim() -> tuple[int, int] | None:
    """Claim the next version for a check. Return its id and the number of the attempt, or None if there is none.

    Authors without a recent check come first; among these, the author with the fewest waiting versions. Then comes the
    author whose last check began longest ago. Of each author, the oldest version is taken.
    """
    for _ in range(TRIES):
        with transaction.atomic():
            waiting = _claimable().order_by(F("served").asc(nulls_first=True), F("crowd"), "created_at", "pk")
            if connection.features.has_select_for_update_skip_locked:
                waiting = waiting.select_for_update(skip_locked=True, of=("self",))
            version_id = waiting.values_list("pk", flat=True).first()
            if version_id is None:
                return None
            attempt = version_check_begin(version_id=version_id)
        if attempt is not None:
            return version_id, attempt
    return None


def version_check_begin(*, version_id: int) -> int | None:
    """Claim a version for a check. Return the number of the attempt.

    Return None if the version is not waiting, or if its author has another one under check.
    """
    version = BotVersion.objects.select_related("bot").only("bot__owner", "bot__is_house").get(pk=version_id)
    try:
        with transaction.atomic():
            taken = BotVersion.objects.filter(pk=version_id, state=VersionState.QUEUED).update(
                state=VersionState.CHECKING,
                check_attempt=F("check_attempt") + 1,
                check_started_at=database_now(),
                checked_for=None if version.bot.is_house else version.bot.owner_id,
                lease_expires_at=database_after(timedelta(seconds=settings.LEASE_SECONDS)),
            )
            if not taken:
                return None
            CheckTurn.objects.update_or_create(author_id=version.bot.owner_id, defaults={"served_at": database_now()})
            return BotVersion.objects.values_list("check_attempt", flat=True).get(pk=version_id)
    except IntegrityError:  # another version of this author was claimed meanwhile
        return None


def version_checks_wake() -> int:
    """Send a message for each author with a claimable version, at most ``WAKE_AT_ONCE``. Return their number."""
    authors = _claimable().order_by().values("bot__owner").distinct()[:WAKE_AT_ONCE].count()
    for _ in range(authors):
        version_check_send()
    return authors


def version_checks_are_waiting() -> bool:
    """Return whether a version can be claimed."""
    return _claimable().exists()


def version_check_send() -> None:
    """Wake a worker for checks, after the commit."""
    transaction.on_commit(_send_now)


def _send_now() -> None:
    try:
        current_app.send_task(settings.QUALIFY_TASK, expires=STALE)
    except (OperationalError, OSError):
        logger.exception("the broker did not take the wake-up for a check; a sweep sends another")


def _claimable() -> QuerySet[BotVersion]:
    """Return the waiting versions whose author has none under check.

    They are annotated with ``served`` and ``crowd``. ``served`` is the time when the author's last check began, or null
    if that is long ago. ``crowd`` is the number of waiting versions of the author.
    """
    of_author = BotVersion.objects.filter(bot__owner=OuterRef("bot__owner")).order_by().values("bot__owner")
    turns = CheckTurn.objects.filter(author=OuterRef("bot__owner"), served_at__gt=database_after(-REMEMBERED))
    crowd = of_author.filter(state=VersionState.QUEUED).annotate(count=Count("pk")).values("count")
    busy = BotVersion.objects.filter(checked_for=OuterRef("bot__owner"))
    due = Q(lease_expires_at__isnull=True) | Q(lease_expires_at__lte=database_now())
    open_to = Q(bot__is_house=True) | ~Exists(busy)
    waiting = BotVersion.objects.filter(due, open_to, state=VersionState.QUEUED, check_faults__lt=CHECK_FAULTS_AT_MOST)
    return waiting.annotate(served=Subquery(turns.values("served_at")), crowd=Coalesce(Subquery(crowd), 0))
