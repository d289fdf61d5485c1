"""Celery tasks for those who operate the site."""

from celery import shared_task

from arena.operations.metrics import metrics_sizes_measure


@shared_task(name="operations.measure")
def operations_measure_task() -> None:
    """Run a few times a day."""
    metrics_sizes_measure()
