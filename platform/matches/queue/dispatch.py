"""Messages that wake workers. The queue is in the database: a lost message delays a match, but never loses it.

A message contains no data. It makes a worker look into the queue (see ``claims``). A few messages are enough for a
queue of any length: a worker that found a match sends the next message. A periodic task replaces lost messages.
"""

import logging
from datetime import timedelta
from functools import partial
from typing import Any, Final

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models import Q
from kombu import Queue
from kombu.exceptions import ChannelError, OperationalError

from matches.models import Contest, Match
from matches.queue.worker_status import workers_slots_up
from web.database import database_after, database_now

logger = logging.getLogger(__name__)

PLAY_TASK: Final = "matches.play"
SLOTS_AT_LEAST: Final = 2  # messages may wait even if no worker has reported yet
NOTIFY_EVERY: Final = timedelta(seconds=1)  # least time between two messages for one contest
NOTIFY_LOST_AFTER: Final = timedelta(seconds=10)  # a message that has waited longer counts as lost
RESENT_MOST: Final = 100  # the most lost messages that one call sends again
UNREACHABLE: Final = (OperationalError, OSError)


def dispatch_workers_on_commit(matches: int) -> None:
    """Wake workers for this number of ``matches`` after the transaction is committed."""
    if matches:
        transaction.on_commit(partial(dispatch_workers, matches))


def dispatch_workers(matches: int = 1) -> int:
    """Send a message for each of the ``matches``. At most as many messages wait as matches can be played at once.

    Return the number of messages sent. If the broker is down, return 0; a periodic task tries again later.
    """
    try:
        lacking = min(matches, max(workers_slots_up(), SLOTS_AT_LEAST)) - _messages_waiting()
        for _ in range(lacking):
            current_app.send_task(PLAY_TASK)
    except UNREACHABLE:
        logger.exception("the broker took no message; workers will be woken later")
        return 0
    return max(0, lacking)


def dispatch_result_on_commit(match: Match) -> None:
    """Send a task after the commit: it processes the results of the match's contest, and gets the id of the match.

    Only one message for a contest waits at a time, because the task processes all results. A lost message is replaced
    after the next result, or by ``dispatch_lost_results``. For a match without a contest, nothing is sent.
    """
    if not match.on_finished_task:
        return
    quiet = Q(news_at=None) | Q(news_at__lt=database_after(-NOTIFY_LOST_AFTER))
    contest = Contest.objects.filter(pk=match.contest_id)
    if contest.filter(quiet).update(news_at=database_now()):
        recently = contest.filter(notified_at__gt=database_after(-NOTIFY_EVERY)).exists()
        countdown = NOTIFY_EVERY.total_seconds() if recently else 0.0
        transaction.on_commit(partial(_send, match.on_finished_task, match.pk, countdown))


def dispatch_result_read(*, match_id: int) -> None:
    """Allow the next result to send a message again. The task calls this before it reads the results."""
    contest = Match.objects.filter(pk=match_id).values("contest")
    Contest.objects.filter(pk__in=contest).update(news_at=None, notified_at=database_now())


def dispatch_lost_results() -> int:
    """Send lost messages again, at most ``RESENT_MOST``. Return the number of messages sent.

    This is needed for the last result of a contest, because no later result sends a message.
    """
    sent = 0
    for contest in Contest.objects.filter(news_at__lt=database_after(-NOTIFY_LOST_AFTER)).order_by("news_at")[
        :RESENT_MOST
    ]:
        match = Match.objects.filter(contest=contest).exclude(on_finished_task="").order_by("-pk").first()
        ours = Contest.objects.filter(pk=contest.pk, news_at=contest.news_at)
        if ours.update(news_at=database_now() if match else None) and match:
            _send(match.on_finished_task, match.pk, 0.0)
            sent += 1
    return sent


def dispatch_queue_of(task: str) -> Queue:
    """Return the queue that ``task`` is sent to."""
    queue: Queue = current_app.amqp.router.route({}, task)["queue"]
    return queue


def _send(task: str, match_id: int, countdown: float) -> None:
    try:
        current_app.send_task(task, [match_id], countdown=countdown or None)
    except UNREACHABLE:
        logger.exception("%s: the broker did not take the message for match %d", task, match_id)


def _messages_waiting() -> int:
    """Return the number of messages that wait in the queue of the task ``PLAY_TASK``."""
    with current_app.connection_or_acquire() as broker:
        broker.ensure_connection(**settings.CELERY_TASK_PUBLISH_RETRY_POLICY)
        channel: Any = broker.default_channel  # the declared type has no queue_declare
        try:
            return int(channel.queue_declare(dispatch_queue_of(PLAY_TASK).name, passive=True).message_count)
        except ChannelError:  # the queue does not exist until its first message
            return 0
        except broker.connection_errors as error:
            raise OperationalError(str(error)) from error
