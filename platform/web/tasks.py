"""Housekeeping of the API."""

from celery import shared_task

from web.idempotency import answers_forget


@shared_task(name="web.forget_answers", expires=3600)
def forget_answers() -> None:
    """Run every hour."""
    answers_forget()
