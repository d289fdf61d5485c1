"""Celery tasks of webhooks. The rows are the queue: a message that is lost or comes twice changes nothing."""

from celery import shared_task

from hooks.sending import due_deliveries_send, owner_notify
from hooks.services import deliveries_drop


@shared_task(name="hooks.deliver")
def deliver() -> None:
    """Send what is due. In a queue of its own: a slow receiver holds up no other work."""
    due_deliveries_send()


@shared_task(name="hooks.paused")
def paused(hook_id: int) -> None:
    """Write to the owner of a hook that was paused."""
    owner_notify(hook_id=hook_id)


@shared_task(name="hooks.retain", expires=3600)
def retain() -> None:
    """Run every hour."""
    deliveries_drop()
