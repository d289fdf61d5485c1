"""Hooks and their outbox. For each event and each hook that subscribes to it, a delivery is written, in the transaction
of the event's cause.
"""

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final
from uuid import UUID, uuid4

from celery import current_app
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from kombu.exceptions import OperationalError

from hooks.filters import hook_about_read, is_hook_about
from hooks.http_post import hook_url_check
from hooks.kinds import TEST
from hooks.messages import hook_message_body, hook_message_salt_new
from hooks.models import Delivery, DeliveryState, Hook, MessageFormat, PausedBecause
from web.database import database_after, database_now
from web.errors import Refusal

logger = logging.getLogger(__name__)

DELIVER_TASK: Final = "hooks.deliver"
OLD_SECRET_FOR: Final = timedelta(days=1)
CLAIMS_MOST: Final = 50  # claims of one delivery; after these its owner cannot send it again
DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Event:
    """An event. ``people`` are the primary keys of its recipients, and ``data`` is JSON."""

    kind: str
    people: Collection[int]
    data: Mapping[str, Any]
    id: UUID = field(default_factory=uuid4)


def hook_create(
    *,
    owner: AbstractUser,
    url: str,
    kinds: Sequence[str],
    format: str = MessageFormat.JSON,  # noqa: A002  the field
    about: str = "",
) -> Hook:
    """Create a hook. ``messages.hook_message_secret_of`` returns its secret, which is shown once.

    Raises:
        BadAddress: see ``http_post.hook_url_check``.
        NothingToBeAbout: see ``filters.hook_about_read``.
        TooManyHooks: the owner has ``HOOKS_MOST`` hooks already.
    """
    hook_url_check(url)
    about = hook_about_read(about)
    with transaction.atomic():
        # Concurrent calls wait for each other, so that each counts the hooks of the others.
        get_user_model().objects.select_for_update(no_key=True).get(pk=owner.pk)
        if Hook.objects.filter(owner=owner.pk).count() >= settings.HOOKS_MOST:
            raise TooManyHooks(settings.HOOKS_MOST)
        fields = {"url": url, "kinds": list(kinds), "format": format, "about": about}
        return Hook.objects.create(owner_id=owner.pk, salt=hook_message_salt_new(), **fields)


def hook_update(*, hook: Hook, **fields: Any) -> Hook:
    """Change some of ``url``, ``kinds``, ``format`` and ``about``.

    Waiting deliveries are not changed, but are sent to the new address.

    Raises:
        BadAddress: see ``http_post.hook_url_check``.
        NothingToBeAbout: see ``filters.hook_about_read``.
    """
    checks: dict[str, Callable[[Any], Any]] = {"url": hook_url_check, "kinds": list, "about": hook_about_read}
    for name, value in fields.items():
        setattr(hook, name, checks.get(name, str)(value))
    hook.save(update_fields=[*fields])
    return hook


def hook_delete(*, hook: Hook) -> None:
    """Delete a hook with its deliveries. Waiting deliveries are not sent."""
    hook.delete()


def hook_secret_rotate(*, hook: Hook) -> Hook:
    """Replace the secret of a hook. For ``OLD_SECRET_FOR``, messages are signed with both secrets."""
    salt = Hook.objects.values_list("salt", flat=True).get(pk=hook.pk)
    until = timezone.now() + OLD_SECRET_FOR
    # If two calls are concurrent, the second changes nothing, so that both return the same secret.
    Hook.objects.filter(pk=hook.pk, salt=salt).update(
        salt=hook_message_salt_new(), old_salt=salt, old_salt_until_at=until
    )
    hook.refresh_from_db()
    return hook


def hook_pause(*, hook_id: int, because: PausedBecause = PausedBecause.OWNER) -> bool:
    """Send nothing to the hook until it is resumed. Return False if it was already paused."""
    active = Hook.objects.filter(pk=hook_id, paused_because=PausedBecause.NOT)
    return bool(active.update(paused_because=because, paused_at=database_now()))


def hook_resume(*, hook: Hook) -> None:
    """Resume a paused hook. Its waiting deliveries are due at once, and their tries count from 0.

    Raises:
        NotPaused: the hook was not paused.
    """
    with transaction.atomic():
        paused = Hook.objects.filter(pk=hook.pk).exclude(paused_because=PausedBecause.NOT)
        if not paused.update(paused_because=PausedBecause.NOT, paused_at=None):
            raise NotPaused
        waiting = Delivery.objects.filter(hook=hook.pk, state=DeliveryState.WAITING, claimed_until_at=None)
        waiting.update(due_at=database_now(), tries=0)
        transaction.on_commit(hook_deliveries_schedule)
    hook.refresh_from_db()


def hook_deliveries_write(*, events: Sequence[Event]) -> int:
    """Write a delivery of each event for each subscribed hook, in the transaction of the event's cause. Return the
    number of deliveries.

    If a person had ``HOOK_DELIVERIES_MOST`` deliveries within a day, no further deliveries are written, and the hook
    records the time of this in ``left_out_at``.
    """
    assert transaction.get_connection().in_atomic_block  # noqa: S101  it is committed with its cause or not at all
    people = {person for event in events for person in event.people}
    hooks = list(
        Hook.objects.filter(owner__in=people, paused_because=PausedBecause.NOT, owner__is_active=True)
        .select_related("owner")
        .order_by("pk")
        if people
        else ()
    )
    written = 0
    for event in events:
        for hook in hooks:
            if hook.owner_id not in event.people:
                continue
            if event.kind == TEST or (event.kind in hook.kinds and is_hook_about(hook.about, event.data)):
                written += _write(hook, event)
    if written:
        transaction.on_commit(hook_deliveries_schedule)
    return written


def hook_test_send(*, hook: Hook) -> Delivery:
    """Send a test message to this hook only.

    Raises:
        HookPaused: the hook is paused.
        TooManyToday: the owner of the hook has had too many deliveries within a day.
    """
    with transaction.atomic():
        if hook.is_paused:
            raise HookPaused
        event = Event(TEST, [hook.owner_id], {"hook": hook.pk})
        if not _write(hook, event):
            raise TooManyToday(settings.HOOK_DELIVERIES_MOST)
        transaction.on_commit(hook_deliveries_schedule)
        return Delivery.objects.get(hook=hook, event=event.id)


def hook_delivery_requeue(*, delivery: Delivery) -> None:
    """Send a delivered or failed delivery again, with the same text and the same id.

    Raises:
        HookPaused: the hook of the delivery is paused.
        NotAgain: the delivery still waits, or was sent ``CLAIMS_MOST`` times.
    """
    if Hook.objects.get(pk=delivery.hook_id).is_paused:
        raise HookPaused
    with transaction.atomic():
        ended = Delivery.objects.filter(pk=delivery.pk, claims__lt=CLAIMS_MOST).exclude(state=DeliveryState.WAITING)
        if not ended.update(state=DeliveryState.WAITING, tries=0, due_at=database_now(), ended_at=None):
            raise NotAgain
        transaction.on_commit(hook_deliveries_schedule)


def hook_deliveries_schedule() -> None:
    """Wake the sending task. If the message is lost, the periodic task sends the deliveries ten seconds later."""
    try:
        current_app.send_task(DELIVER_TASK, expires=10)
    except (OperationalError, OSError):
        logger.exception("the broker is unavailable; webhooks are sent later")


def hook_deliveries_drop() -> int:
    """Delete deliveries older than ``HOOK_DAYS``, 10,000 at most, and expired secrets. Return how many deliveries."""
    old = Delivery.objects.filter(created_at__lt=database_after(-timedelta(days=settings.HOOK_DAYS)))
    old_salts = Hook.objects.filter(old_salt_until_at__lt=database_now())
    old_salts.update(old_salt="", old_salt_until_at=None)
    return Delivery.objects.filter(pk__in=list(old.values_list("pk", flat=True)[:10_000])).delete()[0]


def _write(hook: Hook, event: Event) -> bool:
    of_today = Delivery.objects.filter(hook__owner=hook.owner_id, created_at__gt=database_after(-DAY))
    if of_today.count() >= settings.HOOK_DELIVERIES_MOST:
        Hook.objects.filter(pk=hook.pk).update(left_out_at=database_now())
        return False
    body = hook_message_body(hook, event.kind, event.data)
    delivery = Delivery(hook=hook, event=event.id, kind=event.kind, body=body, due_at=database_now())
    # An event that is published again already has its delivery.
    Delivery.objects.bulk_create([delivery], ignore_conflicts=True)
    return True


class TooManyHooks(Refusal):
    """The person has the largest number of hooks that is allowed."""

    code = "limit"
    status = 409

    def __init__(self, most: int) -> None:
        sentence = ngettext(
            "You have %(most)d webhook already. Delete it if you no longer use it.",
            "You have %(most)d webhooks already. Delete one that you no longer use.",
            most,
        )
        super().__init__(sentence % {"most": most})


class NotPaused(Refusal):
    """The hook is not paused, so it cannot be resumed."""

    code = "not_paused"
    status = 409

    def __init__(self) -> None:
        super().__init__(_("This webhook is not paused."))


class HookPaused(Refusal):
    """The hook is paused, so nothing is sent to it."""

    code = "paused"
    status = 409

    def __init__(self) -> None:
        super().__init__(_("This webhook is paused: resume it first."))


class NotAgain(Refusal):
    """The delivery still waits, or was sent too often."""

    code = "not_again"
    status = 409

    def __init__(self) -> None:
        super().__init__(_("This delivery still waits, or was sent too often already."))


class TooManyToday(Refusal):
    """The person had the largest number of deliveries that is allowed in a day."""

    code = "too_many"
    status = 429

    def __init__(self, most: int) -> None:
        sentence = ngettext(
            "You have had %(most)d delivery in the last 24 hours, the most allowed. Try again later.",
            "You have had %(most)d deliveries in the last 24 hours, the most allowed. Try again later.",
            most,
        )
        super().__init__(sentence % {"most": most})
        self.wait = 3600
