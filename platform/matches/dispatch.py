"""Telling the workers. The database is the truth: a message that is lost costs time, never a match."""

import logging
from collections.abc import Iterable
from datetime import timedelta
from functools import partial
from typing import Any, Final

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models import F
from kombu import Queue
from kombu.exceptions import ChannelError, OperationalError

from bots.clock import database_after, database_now
from matches.models import Match, MatchState

logger = logging.getLogger(__name__)

PLAY_TASK: Final = "matches.play"
RESENT_AT_MOST: Final = 2000  # in one sweep
LOST_ANYWAY: Final = timedelta(minutes=15)


def send_on_commit(task: str, ids: Iterable[int], *, delay: timedelta | None = None) -> None:
    """Sends ``task`` for each id once the transaction is committed. If the broker is down, a sweeper sends later."""
    transaction.on_commit(partial(_send, task, list(ids), delay))


def matches_resend() -> int:
    """Sends queued matches again whose message seems lost; returns how many.

    While the queue still holds messages, one that is late is probably among them. Two messages for a match do no harm:
    only one gets the lease.
    """
    patience = timedelta(seconds=settings.LEASE_SECONDS / 2) if _queue_is_empty() else LOST_ANYWAY
    late = Match.objects.filter(state=MatchState.QUEUED, due__lt=database_after(-patience)).order_by(F("created"), "pk")
    ids = list(late.values_list("pk", flat=True)[:RESENT_AT_MOST])
    if ids:
        with transaction.atomic():
            Match.objects.filter(pk__in=ids, state=MatchState.QUEUED).update(due=database_now())
            send_on_commit(PLAY_TASK, ids)
    return len(ids)


def _send(task: str, ids: list[int], delay: timedelta | None) -> None:
    countdown = delay.total_seconds() if delay else None
    try:
        for pk in ids:
            current_app.send_task(task, [pk], countdown=countdown)
    except (OperationalError, OSError):
        logger.exception("%s: the broker did not take the messages for %d ids; they will be sent again", task, len(ids))


def queue_of(task: str) -> Queue:
    """The queue that ``task`` is sent to."""
    queue: Queue = current_app.amqp.router.route({}, task)["queue"]
    return queue


def _queue_is_empty() -> bool:
    try:
        with current_app.connection_for_read() as broker:
            channel: Any = broker.default_channel  # its type does not know queue_declare
            return not channel.queue_declare(queue_of(PLAY_TASK).name, passive=True).message_count
    except ChannelError:  # nothing has ever been sent there
        return True
