"""Celery tasks of puzzles."""

from celery import shared_task

from puzzles.services import puzzles_fill


@shared_task(name="puzzles.fill", expires=60)
def fill() -> None:
    """Run every minute: one game of each ruleset at most, none once the stock is full."""
    puzzles_fill()
