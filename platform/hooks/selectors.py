"""What a person reads of their own hooks."""

from typing import Any

from django.db.models import QuerySet

from hooks.models import Delivery, Hook


def hooks_of(owner: Any) -> QuerySet[Hook]:
    """Return a person's own hooks, the oldest first."""
    return Hook.objects.filter(owner=owner.pk).order_by("pk")


def deliveries_of(hook: Hook) -> QuerySet[Delivery]:
    """Return the deliveries of a hook, the newest first."""
    return Delivery.objects.filter(hook=hook).order_by("-pk")
