"""The queue of checks: authors take turns, and of each at most one version is under check.

No message names a version. A free worker claims the next one here, so that a lost message costs nothing but time."""

import logging
from datetime import timedelta
from typing import Final

from celery import current_app
from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from kombu.exceptions import OperationalError

from bots.models import CHECK_FAULTS_AT_MOST, BotVersion, CheckTurn, VersionState
from web.database import database_after, database_now

logger = logging.getLogger(__name__)
REMEMBERED: Final = timedelta(minutes=10)  # of an author's earlier checks; who was served before waits for nobody
WAKE_AT_ONCE: Final = 4  # messages of one sweep
STALE: Final = 20.0  # seconds after which a message is dropped: the sweep sends others
TRIES: Final = 5


def version_claim() -> tuple[int, int] | None:
    """Take the next version for checking: its id and the number of the attempt, or None where none may be taken.

    First comes the author who was served longest ago, among those not served recently the one with fewest waiting; of
    each author the oldest version.
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
    """Take this version for checking: the number of the attempt, or None where it is not waiting or its author has
    another one under check."""
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
    except IntegrityError:  # of this author another one was taken since we looked
        return None


def checks_wake() -> int:
    """Send as many messages as there are authors with a version that may be taken, a few at most. How many were."""
    authors = _claimable().order_by().values("bot__owner").distinct()[:WAKE_AT_ONCE].count()
    for _ in range(authors):
        check_send()
    return authors


def checks_wait() -> bool:
    """Tell whether there is a version that may be taken for checking."""
    return _claimable().exists()


def check_send() -> None:
    """Wake, after the commit, one worker that checks."""
    transaction.on_commit(_send_now)


def _send_now() -> None:
    try:
        current_app.send_task(settings.QUALIFY_TASK, expires=STALE)
    except (OperationalError, OSError):
        logger.exception("the broker did not take the wake-up for a check; a sweep sends another")


def _claimable() -> QuerySet[BotVersion]:
    """Return the versions that wait and whose author has none under check, with ``served``: when the author's last
    check began, if recent; and ``crowd``: how many versions of the author wait.
    """
    of_author = BotVersion.objects.filter(bot__owner=OuterRef("bot__owner")).order_by().values("bot__owner")
    turns = CheckTurn.objects.filter(author=OuterRef("bot__owner"), served_at__gt=database_after(-REMEMBERED))
    crowd = of_author.filter(state=VersionState.QUEUED).annotate(count=Count("pk")).values("count")
    busy = BotVersion.objects.filter(checked_for=OuterRef("bot__owner"))
    due = Q(lease_expires_at__isnull=True) | Q(lease_expires_at__lte=database_now())
    open_to = Q(bot__is_house=True) | ~Exists(busy)
    waiting = BotVersion.objects.filter(due, open_to, state=VersionState.QUEUED, check_faults__lt=CHECK_FAULTS_AT_MOST)
    return waiting.annotate(served=Subquery(turns.values("served_at")), crowd=Coalesce(Subquery(crowd), 0))
