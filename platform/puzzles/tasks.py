"""Celery tasks of puzzles."""

from celery import shared_task

from puzzles.services import puzzles_tend


@shared_task(name="puzzles.tend", expires=60)
def puzzles_tend_task() -> None:
    """Run every minute: one game at most, none once the stock is full."""
    puzzles_tend()
