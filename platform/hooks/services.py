"""Hooks, and the outbox: an event is written for each subscribed hook, in the transaction of its cause."""

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final
from uuid import UUID, uuid4

from celery import current_app
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from kombu.exceptions import OperationalError

from hooks.about import about_read, is_about
from hooks.kinds import TEST
from hooks.messages import message_body, salt_new
from hooks.models import Delivery, DeliveryState, Hook, MessageFormat, PausedBecause
from hooks.wire import url_check
from web.database import database_after, database_now
from web.errors import Refusal

logger = logging.getLogger(__name__)

DELIVER_TASK: Final = "hooks.deliver"
OLD_SECRET_FOR: Final = timedelta(days=1)
CLAIMS_MOST: Final = 50  # of one delivery, however often its owner asks for it
DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: its kind, its recipients by primary key, and its ``data`` as JSON."""

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
    """Create a hook; ``signing.secret_of`` returns its secret, which is shown once.

    Raises:
        BadAddress, NothingToBeAbout, TooManyHooks: see there.
    """
    url_check(url)
    about = about_read(about)
    with transaction.atomic():
        get_user_model().objects.select_for_update(no_key=True).get(pk=owner.pk)  # of two at once, one counts the other
        if Hook.objects.filter(owner=owner.pk).count() >= settings.HOOKS_MOST:
            raise TooManyHooks(settings.HOOKS_MOST)
        fields = {"url": url, "kinds": list(kinds), "format": format, "about": about}
        return Hook.objects.create(owner_id=owner.pk, salt=salt_new(), **fields)


def hook_update(
    *,
    hook: Hook,
    url: str,
    kinds: Sequence[str],
    format: str,  # noqa: A002  the field
    about: str,
) -> Hook:
    """Change the address, the kinds, the format or what it is about; waiting deliveries are sent to the new address as
    they are.

    Raises:
        BadAddress, NothingToBeAbout: see there.
    """
    hook.url, hook.kinds, hook.format, hook.about = url_check(url), list(kinds), format, about_read(about)
    hook.save(update_fields=["url", "kinds", "format", "about"])
    return hook


def hook_delete(*, hook: Hook) -> None:
    """Delete a hook with its deliveries; what waits is not sent."""
    hook.delete()


def hook_secret_rotate(*, hook: Hook) -> Hook:
    """Give the hook another secret; for a day messages are signed with both."""
    salt = Hook.objects.values_list("salt", flat=True).get(pk=hook.pk)
    until = timezone.now() + OLD_SECRET_FOR
    # Of two at once the second changes nothing: both callers get the same secret.
    Hook.objects.filter(pk=hook.pk, salt=salt).update(salt=salt_new(), old_salt=salt, old_salt_until_at=until)
    hook.refresh_from_db()
    return hook


def hook_pause(*, hook_id: int, because: PausedBecause = PausedBecause.OWNER) -> bool:
    """Send nothing to the hook until it is resumed; False if it was paused already."""
    active = Hook.objects.filter(pk=hook_id, paused_because=PausedBecause.NOT)
    return bool(active.update(paused_because=because, paused_at=database_now()))


def hook_resume(*, hook: Hook) -> None:
    """Send again, at once what waited, from its first try.

    Raises:
        NotPaused: it was not paused.
    """
    with transaction.atomic():
        paused = Hook.objects.filter(pk=hook.pk).exclude(paused_because=PausedBecause.NOT)
        if not paused.update(paused_because=PausedBecause.NOT, paused_at=None):
            raise NotPaused
        waiting = Delivery.objects.filter(hook=hook.pk, state=DeliveryState.WAITING, claimed_until_at=None)
        waiting.update(due_at=database_now(), tries=0)
        transaction.on_commit(deliveries_schedule)
    hook.refresh_from_db()


def deliveries_write(*, events: Sequence[Event]) -> int:
    """Write a delivery of each event for each subscribed hook, in the transaction of its cause. Return how
    many were written; those of a person who has had too many within a day are left out, and the hook says so.
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
            if event.kind == TEST or (event.kind in hook.kinds and is_about(hook.about, event.data)):
                written += _write(hook, event)
    if written:
        transaction.on_commit(deliveries_schedule)
    return written


def hook_test_send(*, hook: Hook) -> Delivery:
    """Send a test message to this hook alone.

    Raises:
        HookPaused, TooManyToday: see there.
    """
    with transaction.atomic():
        if hook.is_paused:
            raise HookPaused
        event = Event(TEST, [hook.owner_id], {"hook": hook.pk})
        if not _write(hook, event):
            raise TooManyToday(settings.HOOK_DELIVERIES_MOST)
        transaction.on_commit(deliveries_schedule)
        return Delivery.objects.get(hook=hook, event=event.id)


def delivery_requeue(*, delivery: Delivery) -> None:
    """Send a delivery again that has ended: the same text by the same id.

    Raises:
        HookPaused, NotAgain: see there.
    """
    if Hook.objects.get(pk=delivery.hook_id).is_paused:
        raise HookPaused
    with transaction.atomic():
        ended = Delivery.objects.filter(pk=delivery.pk, claims__lt=CLAIMS_MOST).exclude(state=DeliveryState.WAITING)
        if not ended.update(state=DeliveryState.WAITING, tries=0, due_at=database_now(), ended_at=None):
            raise NotAgain
        transaction.on_commit(deliveries_schedule)


def deliveries_schedule() -> None:
    """Wake the sending task. A lost message costs ten seconds: then the periodic task sends another."""
    try:
        current_app.send_task(DELIVER_TASK, expires=10)
    except (OperationalError, OSError):
        logger.exception("the broker took no message; webhooks are sent later")


def deliveries_drop() -> int:
    """Delete what is older than ``HOOK_DAYS``, sent or not. Return how many were."""
    old = Delivery.objects.filter(created_at__lt=database_after(-timedelta(days=settings.HOOK_DAYS)))
    old_salts = Hook.objects.filter(old_salt_until_at__lt=database_now())
    old_salts.update(old_salt="", old_salt_until_at=None)
    return Delivery.objects.filter(pk__in=list(old.values_list("pk", flat=True)[:10_000])).delete()[0]


def _write(hook: Hook, event: Event) -> bool:
    of_today = Delivery.objects.filter(hook__owner=hook.owner_id, created_at__gt=database_after(-DAY))
    if of_today.count() >= settings.HOOK_DELIVERIES_MOST:
        Hook.objects.filter(pk=hook.pk).update(left_out_at=database_now())
        return False
    body = message_body(hook, event.kind, event.data)
    delivery = Delivery(hook=hook, event=event.id, kind=event.kind, body=body, due_at=database_now())
    Delivery.objects.bulk_create([delivery], ignore_conflicts=True)  # an event that was published before has one
    return True


def delivery_close(
    *, delivery_id: int, claim: int, state: DeliveryState, status_code: int | None, problem: str
) -> bool:
    """Record how a delivery ended that is claimed by ``claim``; False, and no change, if another claim holds it."""
    held = Delivery.objects.filter(pk=delivery_id, state=DeliveryState.WAITING, claims=claim)
    return bool(
        held.exclude(claimed_until_at=None).update(
            state=state,
            ended_at=database_now(),
            claimed_until_at=None,
            tries=F("tries") + 1,
            status_code=status_code,
            problem=problem,
        )
    )


class TooManyHooks(Refusal):
    """The person has as many as one may."""

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
    """Nothing is to be resumed."""

    code = "not_paused"
    status = 409

    def __init__(self) -> None:
        super().__init__(_("This webhook is not paused."))


class HookPaused(Refusal):
    """Nothing is sent to a hook that is paused."""

    code = "paused"
    status = 409

    def __init__(self) -> None:
        super().__init__(_("This webhook is paused: resume it first."))


class NotAgain(Refusal):
    """A delivery that waits, or was sent too often."""

    code = "not_again"
    status = 409

    def __init__(self) -> None:
        super().__init__(_("This delivery still waits, or was sent too often already."))


class TooManyToday(Refusal):
    """As much was sent for the person as may be in a day."""

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
