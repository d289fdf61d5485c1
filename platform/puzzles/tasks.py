"""Celery tasks of puzzles."""

from celery import shared_task

from puzzles.services import puzzles_tend


@shared_task(name="puzzles.tend", expires=60)
def puzzles_tend_task() -> None:
    """Play a game for new puzzles, unless the stock is full. Runs every minute."""
    puzzles_tend()
