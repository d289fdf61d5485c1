"""The Celery task of announcements. The rows say what is due: a message that is lost or comes twice changes nothing."""

from celery import shared_task

from announcements.services import due_announcements_publish


@shared_task(name="announcements.publish")
def due_announcements_publish_task() -> None:
    """Publish what is due. It runs every minute."""
    due_announcements_publish()
