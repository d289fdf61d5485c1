"""What a person reads of their own hooks, and whether there are any."""

from typing import Any

from django.db.models import QuerySet

from hooks.models import Delivery, Hook, PausedBecause


def hooks_of(owner: Any) -> QuerySet[Hook]:
    """Return a person's own hooks, the oldest first."""
    return Hook.objects.filter(owner=owner.pk).order_by("pk")


def hook_deliveries_of(hook: Hook) -> QuerySet[Delivery]:
    """Return the deliveries of a hook, the newest first."""
    return Delivery.objects.filter(hook=hook).order_by("-pk")


def active_hooks() -> QuerySet[Hook]:
    """Return the hooks that are sent events."""
    return Hook.objects.filter(paused_because=PausedBecause.NOT)
