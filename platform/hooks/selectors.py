"""What a person reads of their own hooks, and whether there are any."""

from typing import Any

from django.db.models import QuerySet

from hooks.models import Delivery, Hook, PausedBecause


def hooks_of(owner: Any) -> QuerySet[Hook]:
    """Return a person's own hooks, the oldest first."""
    return Hook.objects.filter(owner=owner.pk).order_by("pk")


def deliveries_of(hook: Hook) -> QuerySet[Delivery]:
    """Return the deliveries of a hook, the newest first."""
    return Delivery.objects.filter(hook=hook).order_by("-pk")


def has_active_hooks() -> bool:
    """Tell whether any hook is active. Call it before collecting events and recipients."""
    return Hook.objects.filter(paused_because=PausedBecause.NOT).exists()
