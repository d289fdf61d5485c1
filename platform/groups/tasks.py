"""The Celery task of groups. The rows are the queue: a message that is lost or comes twice changes nothing."""

from celery import shared_task

from groups.services import letters_send


@shared_task(name="groups.write", expires=30)
def write() -> None:
    """Run twice a minute."""
    letters_send()
