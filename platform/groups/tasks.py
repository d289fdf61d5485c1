"""The Celery task of groups. The rows are the queue, so lost or repeated messages change nothing."""

from celery import shared_task

from groups.services import group_emails_send


@shared_task(name="groups.write", expires=30)
def group_emails_send_task() -> None:
    """Send waiting emails of groups. Runs twice a minute."""
    group_emails_send()
