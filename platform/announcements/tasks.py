"""The Celery task of announcements. The rows are the queue, so lost or repeated messages change nothing."""

from celery import shared_task

from announcements.services import due_announcements_publish


@shared_task(name="announcements.publish")
def due_announcements_publish_task() -> None:
    """Publish due announcements. Runs every minute."""
    due_announcements_publish()
