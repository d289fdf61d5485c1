"""Hooks and their people."""

from typing import Any

from django.db import transaction

from hooks.kinds import hook_kinds_offered
from hooks.messages import hook_message_salt_new
from hooks.models import Delivery, Hook
from hooks.services import Event, hook_deliveries_write
from tests.arena.factories import UserFactory


def hook_of(owner: Any = None, url: str = "https://hooks.example.org/x", **fields: Any) -> Hook:
    """Create a hook that gets every event."""
    values = {"kinds": [name for name, _label in hook_kinds_offered()], "salt": hook_message_salt_new(), **fields}
    return Hook.objects.create(owner=owner or UserFactory(), url=url, **values)


def delivery_of(hook: Hook, kind: str = "version.verdict", **data: Any) -> Delivery:
    """Create a pending delivery."""
    with transaction.atomic():
        assert hook_deliveries_write(events=[Event(kind, [hook.owner_id], data)]) == 1
    return Delivery.objects.order_by("pk")[Delivery.objects.count() - 1]


def past(delivery: Delivery) -> None:
    """Let its claim expire and its time come."""
    Delivery.objects.filter(pk=delivery.pk).update(due_at="2020-01-01T00:00Z")
    Delivery.objects.filter(pk=delivery.pk, claimed_until_at__isnull=False).update(claimed_until_at="2020-01-01T00:00Z")
