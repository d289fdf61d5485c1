"""Celery tasks of webhooks. The rows are the queue: a message that is lost or comes twice changes nothing."""

from celery import shared_task
from django.db import transaction

from hooks.models import Hook
from hooks.pausing import paused_notify
from hooks.sending import due_deliveries_send
from hooks.services import deliveries_drop


@shared_task(name="hooks.deliver")
def deliver() -> None:
    """Send what is due. In a queue of its own: a slow receiver holds up no other work."""
    due_deliveries_send()


@shared_task(name="hooks.paused")
def paused(hook_id: int) -> None:
    """Notify the owner of a hook that a worker of the release before has paused."""
    with transaction.atomic():
        for hook in Hook.objects.filter(pk=hook_id):
            paused_notify(hook)


@shared_task(name="hooks.retain", expires=3600)
def retain() -> None:
    """Run every hour."""
    deliveries_drop()
