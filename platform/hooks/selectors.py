"""Selectors of a person's webhooks and their deliveries."""

from typing import Any

from django.db.models import QuerySet

from hooks.models import Delivery, Hook, PausedBecause


def hooks_of(owner: Any) -> QuerySet[Hook]:
    """Return a person's hooks, oldest first."""
    return Hook.objects.filter(owner=owner.pk).order_by("pk")


def hook_deliveries_of(hook: Hook) -> QuerySet[Delivery]:
    """Return the deliveries of a hook, newest first."""
    return Delivery.objects.filter(hook=hook).order_by("-pk")


def active_hooks() -> QuerySet[Hook]:
    """Return the hooks that are not paused."""
    return Hook.objects.filter(paused_because=PausedBecause.NOT)
