"""Celery tasks of webhooks. The rows are the queue, so lost or repeated messages change nothing."""

from celery import shared_task
from django.db import transaction

from hooks.hook_events import hook_paused_event_publish
from hooks.models import Hook
from hooks.sending import hook_deliveries_send_due
from hooks.services import hook_deliveries_drop


@shared_task(name="hooks.deliver")
def hook_deliveries_send_task() -> None:
    """Send due deliveries. The task has its own queue, so that slow receivers delay nothing else."""
    hook_deliveries_send_due()


@shared_task(name="hooks.paused")
def hook_paused_task(hook_id: int) -> None:
    """Notify the owner of a hook that a worker of the previous release has paused."""
    with transaction.atomic():
        for hook in Hook.objects.filter(pk=hook_id):
            hook_paused_event_publish(hook)


@shared_task(name="hooks.retain", expires=3600)
def hook_deliveries_drop_task() -> None:
    """Delete old deliveries. Runs every hour."""
    hook_deliveries_drop()
