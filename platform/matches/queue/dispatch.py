"""Telling the workers that there is work. The database is the truth: a message that is lost costs time, never a match.

A message says no more than "look into the queue" (see ``claims``). So a few are enough however much waits: a worker
that found something sends itself the next one, and the sweeper makes up for what is lost.
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
from matches.queue.worker_status import slots_up
from web.database import database_after, database_now

logger = logging.getLogger(__name__)

PLAY_TASK: Final = "matches.play"
SLOTS_AT_LEAST: Final = 2  # messages for workers that have not yet said that they are there
NEWS_EVERY: Final = timedelta(seconds=1)  # of one contest
NEWS_LOST: Final = timedelta(seconds=10)  # a message of which nothing was heard for so long
RESENT_MOST: Final = 100  # at once
UNREACHABLE: Final = (OperationalError, OSError)


def workers_wake_on_commit(matches: int) -> None:
    """Wake workers for so many matches once the transaction is committed."""
    if matches:
        transaction.on_commit(partial(workers_wake, matches))


def workers_wake(matches: int = 1) -> int:
    """Send a message for each of the ``matches``, but never more than there are workers; how many were sent:
    none if the broker is down, and then the sweeper tries again.
    """
    try:
        lacking = min(matches, max(slots_up(), SLOTS_AT_LEAST)) - _messages_waiting()
        for _ in range(lacking):
            current_app.send_task(PLAY_TASK)
    except UNREACHABLE:
        logger.exception("the broker took no message; workers will be woken later")
        return 0
    return max(0, lacking)


def result_notify_on_commit(match: Match) -> None:
    """After commit, send the task that processes the results of its contest, with the match's id.

    There is one message at a time for a contest: its task finds all results. A lost message is replaced at the
    next result, and by ``results_notify_lost``. A match without a contest sends none.
    """
    if not match.on_finished_task:
        return
    quiet = Q(news_at=None) | Q(news_at__lt=database_after(-NEWS_LOST))
    contest = Contest.objects.filter(pk=match.contest_id)
    if contest.filter(quiet).update(news_at=database_now()):
        recently = contest.filter(notified_at__gt=database_after(-NEWS_EVERY)).exists()
        countdown = NEWS_EVERY.total_seconds() if recently else 0.0
        transaction.on_commit(partial(_send, match.on_finished_task, match.pk, countdown))


def result_notify_read(*, match_id: int) -> None:
    """Send a message for the next result again. The task calls it before it reads results."""
    contest = Match.objects.filter(pk=match_id).values("contest")
    Contest.objects.filter(pk__in=contest).update(news_at=None, notified_at=database_now())


def results_notify_lost() -> int:
    """Send again the messages that were lost: the last result of a contest has none after it that would make up for
    it. Return how many; the others are sent the next time.
    """
    sent = 0
    for contest in Contest.objects.filter(news_at__lt=database_after(-NEWS_LOST)).order_by("news_at")[:RESENT_MOST]:
        match = Match.objects.filter(contest=contest).exclude(on_finished_task="").order_by("-pk").first()
        ours = Contest.objects.filter(pk=contest.pk, news_at=contest.news_at)
        if ours.update(news_at=database_now() if match else None) and match:
            _send(match.on_finished_task, match.pk, 0.0)
            sent += 1
    return sent


def queue_of(task: str) -> Queue:
    """Return the queue that ``task`` is sent to."""
    queue: Queue = current_app.amqp.router.route({}, task)["queue"]
    return queue


def _send(task: str, match_id: int, countdown: float) -> None:
    try:
        current_app.send_task(task, [match_id], countdown=countdown or None)
    except UNREACHABLE:
        logger.exception("%s: the broker did not take the message for match %d", task, match_id)


def _messages_waiting() -> int:
    """Return how many messages wait in the queue of matches."""
    with current_app.connection_or_acquire() as broker:
        broker.ensure_connection(**settings.CELERY_TASK_PUBLISH_RETRY_POLICY)
        channel: Any = broker.default_channel  # its type does not know queue_declare
        try:
            return int(channel.queue_declare(queue_of(PLAY_TASK).name, passive=True).message_count)
        except ChannelError:  # nothing has ever been sent there
            return 0
        except broker.connection_errors as error:
            raise OperationalError(str(error)) from error
