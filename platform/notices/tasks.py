"""Celery tasks of notices. The rows are the outbox, so lost or repeated messages change nothing."""

from celery import shared_task

from notices.emails import due_notice_emails_send
from notices.push import due_pushes_send
from notices.services import notices_drop


@shared_task(name="notices.email")
def notice_emails_send_task() -> None:
    """Send due emails. It runs every minute, and when an email is due immediately."""
    due_notice_emails_send()


@shared_task(name="notices.push")
def notice_pushes_send_task() -> None:
    """Send due messages to devices. It runs every minute, and when a notice for a device is written."""
    due_pushes_send()


@shared_task(name="notices.retain", expires=3600)
def notices_drop_task() -> None:
    """Delete old notices. It runs every hour."""
    notices_drop()
