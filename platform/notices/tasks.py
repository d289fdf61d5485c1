"""Celery tasks of notices. The rows are the outbox: a message that is lost or comes twice changes nothing."""

from celery import shared_task

from notices.emails import due_emails_send
from notices.push import due_pushes_send
from notices.services import notices_drop


@shared_task(name="notices.email")
def email() -> None:
    """Send the e-mails that are due. It runs every minute, and when an e-mail is due at once."""
    due_emails_send()


@shared_task(name="notices.push")
def push() -> None:
    """Send what devices are due. It runs every minute, and when a notice for a device is written."""
    due_pushes_send()


@shared_task(name="notices.retain", expires=3600)
def retain() -> None:
    """Delete old notices. It runs every hour."""
    notices_drop()
