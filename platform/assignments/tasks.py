"""Celery tasks of assignments. The rows are the queue, so lost or repeated messages change nothing."""

from celery import shared_task

from assignments.models import ASSIGNMENT
from assignments.services import assignments_tend
from matches.queue.dispatch import dispatch_result_read


@shared_task(name="assignments.tend", expires=20)
def assignments_tend_task() -> None:
    """Start due practice and markings. Runs every few seconds."""
    assignments_tend()


@shared_task(name=ASSIGNMENT.finished_task)
def assignment_match_finished_task(match_id: int) -> None:
    """Acknowledge the result of a match. Nothing else is stored, because pages read results from the matches."""
    dispatch_result_read(match_id=match_id)
