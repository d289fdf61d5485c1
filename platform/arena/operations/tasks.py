"""Celery tasks for those who operate the site."""

from celery import shared_task

from arena.operations.readings import sizes_measure


@shared_task(name="operations.measure")
def measure() -> None:
    """Run a few times a day."""
    sizes_measure()
