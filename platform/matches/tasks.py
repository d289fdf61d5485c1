"""What workers are asked to do. Each task takes an id and may come twice: the services decide what is left to do."""

from celery import shared_task
from django.utils import timezone

from bots.services import versions_requeue_overdue
from matches import celery_worker as celery_worker  # its handlers belong to every worker that has these tasks
from matches.dispatch import matches_resend
from matches.leases import leases_expire
from matches.playing import match_play
from matches.presence import workers_forget
from matches.qualification import version_qualify
from matches.retention import retention_apply


@shared_task(name="matches.play")
def play(match_id: int) -> None:
    match_play(match_id)


@shared_task(name="matches.qualify_version")
def qualify_version(version_id: int) -> None:
    version_qualify(version_id)


@shared_task(name="matches.sweep")
def sweep() -> None:
    """Nothing waits for ever: leases that ran out, messages that were lost, checks that were dropped."""
    leases_expire()
    matches_resend()
    versions_requeue_overdue(now=timezone.now())
    workers_forget()


@shared_task(name="matches.retain")
def retain() -> None:
    """Every few minutes."""
    retention_apply()
