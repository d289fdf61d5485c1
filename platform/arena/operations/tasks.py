"""Celery tasks of the operators' pages."""

from celery import shared_task

from arena.operations.metrics import metrics_sizes_measure


@shared_task(name="operations.measure")
def operations_measure_task() -> None:
    """Measure the tables; scheduled a few times a day."""
    metrics_sizes_measure()
