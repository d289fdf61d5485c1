"""Send notices to devices: one message to each device about everything that is due.

A task claims a device, so that only one task sends to it. All notices that are due to the device become one message
with a tag. If the task is killed or the push service is unavailable, a message is sent later with the same tag, because
a browser shows a tag only once. The later message has all notices that are due by then. A message has what the inbox
shows at that moment: notices that were read, or whose objects the reader may no longer see, are left out. Quiet hours
and an hourly limit apply as for emails. Messages that could not be sent for ``KEPT`` are deleted.
"""

import json
import logging
import time
from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import uuid4

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models import Count, F, Min, Q, QuerySet, UUIDField, Value
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import ngettext
from kombu.exceptions import OperationalError

from hooks.sending import CLAIM, ON_FOR, RETRIES, SLOTS_OF_ONE, deliveries_send_concurrently
from notices.models import Notice, PushDelivery, PushSubscription
from notices.quiet_hours import quiet_hours_by_person
from notices.selectors import notice_line_of, notices_readable
from notices.web_push import DEVICES_MOST, web_push_offered, web_push_send, web_push_tag_of
from web.database import database_after, database_now, database_persistent, database_rows
from web.email import email_language_of

logger = logging.getLogger(__name__)

PUSH_TASK: Final = "notices.push"
AT_ONCE: Final = 1000  # rows written in one statement


def pushes_schedule() -> None:
    """Wake the sending task. If the message is lost, the periodic task sends a minute later."""
    try:
        current_app.send_task(PUSH_TASK, expires=60)
    except (OperationalError, OSError):
        logger.exception("the broker is unavailable; devices get notices later")


def pushes_write(*, notices: Collection[Notice], since: datetime) -> None:
    """Write a delivery of each notice for each device of its recipient, once.

    ``notices`` were just written, and their primary keys are unknown. So their rows are looked up. Rows from before
    ``since`` have deliveries already.
    """
    devices = defaultdict[int, list[int]](list)
    people = {one.person_id for one in notices}
    for person, device in PushSubscription.objects.filter(person__in=people).values_list("person", "pk"):
        devices[person].append(device)
    events = {(one.person_id, one.event) for one in notices if one.person_id in devices}
    if not events:
        return
    written = Notice.objects.filter(person__in=devices, event__in={event for _person, event in events})
    rows = [
        PushDelivery(subscription_id=device, notice_id=pk, due_at=since)
        for pk, person, event in written.filter(created_at__gte=since).values_list("pk", "person", "event")
        if (person, event) in events
        for device in devices[person]
    ]
    PushDelivery.objects.bulk_create(rows, batch_size=AT_ONCE, ignore_conflicts=True)
    transaction.on_commit(pushes_schedule)


PUSHES_MOST: Final = 20  # messages to one device within an hour
AN_HOUR: Final = timedelta(hours=1)
LIFETIME: Final = timedelta(hours=24)
DROPPED_AT_ONCE: Final = 10_000
BATCH_MOST: Final = 1000  # notices that one message covers; further ones are in the next message
LINES_MOST: Final = 3
LINE_MOST: Final = 200  # characters of a line, of at most six bytes each; a push service accepts 3,993 bytes in total
GONE: Final = (404, 410)  # RFC 8030: the subscription has ended
TRIES_MOST: Final = 60  # failed attempts after which a device is deleted; with RETRIES this is after about three weeks


@dataclass(frozen=True, slots=True)
class ClaimedPush:
    """A message to send to a claimed device, and the deliveries that it covers."""

    subscription: PushSubscription
    payload: bytes
    deliveries: Collection[int]


def due_pushes_send(*, on_for: float = ON_FOR) -> int:
    """Send due messages until none is left, or ``on_for`` seconds have passed. Return how many results were stored."""
    _stale_drop()
    if not web_push_offered():
        return 0
    until = time.monotonic() + on_for
    written = deliveries_send_concurrently(
        claim=lambda most: pushes_claim(most=most),
        send=lambda one: web_push_send(one.subscription, one.payload),
        note=lambda one, status, _problem: push_attempt_note(claimed=one, status=status),
        on_for=on_for,
    )
    if time.monotonic() >= until and _due().exists():
        pushes_schedule()
    return written


@database_persistent
def pushes_claim(*, most: int) -> list[ClaimedPush]:
    """Claim devices with due deliveries. Those that have waited longest come first. At most ``SLOTS_OF_ONE`` devices of
    a person are claimed at a time.
    """
    _quiet_hold()
    _storm_hold()
    claimed: list[ClaimedPush] = []
    with transaction.atomic():
        waiting = _due().values_list("subscription", "subscription__person").annotate(first=Min("due_at"))
        rows = list(waiting.order_by("first")[: most * DEVICES_MOST])
        sending = PushSubscription.objects.filter(claimed_until_at__gt=database_now())
        held = Counter(sending.values_list("person", flat=True))
        for pk, person, _first in rows:
            if len(claimed) < most and held[person] < SLOTS_OF_ONE and (one := _claim(pk)):
                claimed.append(one)
                held[person] += 1
    return claimed


@database_persistent
def push_attempt_note(*, claimed: ClaimedPush, status: int | None) -> bool:
    """Record the result of an attempt: sent, to be retried, or the device is gone and is deleted.

    Return False, and change nothing, if the claim was lost.
    """
    device = claimed.subscription
    held = PushSubscription.objects.filter(pk=device.pk, claims=device.claims).exclude(claimed_until_at=None)
    tries = device.tries + 1
    with transaction.atomic():
        if status is not None and 200 <= status < 300:
            taken = held.update(claimed_until_at=None, tag=None, tries=0, retry_at=None)
            if taken:
                PushDelivery.objects.filter(pk__in=claimed.deliveries).update(sent_at=database_now())
            return bool(taken)
        if status in GONE or tries >= TRIES_MOST:
            return bool(held.delete()[0])
        pause = RETRIES[min(tries, len(RETRIES)) - 1]
        return bool(held.update(claimed_until_at=None, tries=tries, retry_at=database_after(pause)))


def _idle(prefix: str = "") -> Q:
    """Return the condition for devices that are neither claimed nor waiting for a retry."""
    free = Q(**{f"{prefix}claimed_until_at": None}) | Q(**{f"{prefix}claimed_until_at__lte": database_now()})
    return free & (Q(**{f"{prefix}retry_at": None}) | Q(**{f"{prefix}retry_at__lte": database_now()}))


def _due() -> QuerySet[PushDelivery]:
    """Return the deliveries that may be sent now.

    If a device has changed its owner, deliveries for the previous owner are left out.
    """
    own = Q(subscription__person__is_active=True, notice__person=F("subscription__person"))
    return PushDelivery.objects.filter(_idle("subscription__"), own, sent_at=None, due_at__lte=database_now())


def _quiet_hold() -> None:
    """Postpone the deliveries that are due to people in their quiet hours. They are due at the end of these hours."""
    now = timezone.now()
    for person, quiet in quiet_hours_by_person(_due().values("notice__person")).items():
        if (end := quiet.end_after(now)) > now:
            database_rows(_due().filter(subscription__person=person)).filter(sent_at=None).update(due_at=end)


def _storm_hold() -> None:
    """Postpone the deliveries that are due to devices that have got ``PUSHES_MOST`` messages within an hour. They are
    due an hour after the first of these messages.
    """
    sent = PushDelivery.objects.filter(
        subscription__in=_due().values("subscription"), sent_at__gt=database_after(-AN_HOUR)
    )
    counted = sent.values("subscription").annotate(count=Count("sent_at", distinct=True), first=Min("sent_at"))
    for device, first in counted.filter(count__gte=PUSHES_MOST).values_list("subscription", "first"):
        database_rows(_due().filter(subscription=device)).filter(sent_at=None).update(due_at=first + AN_HOUR)


def _stale_drop() -> None:
    """Delete deliveries that could not be sent for ``KEPT``."""
    stale = PushDelivery.objects.filter(sent_at=None, due_at__lt=database_after(-LIFETIME))
    PushDelivery.objects.filter(pk__in=list(stale.values_list("pk", flat=True)[:DROPPED_AT_ONCE])).delete()


def _claim(pk: int) -> ClaimedPush | None:
    """Claim a device and its due deliveries. Return None if another task has claimed it, or nothing may be shown."""
    tag = Coalesce("tag", Value(uuid4(), output_field=UUIDField()))
    idle = PushSubscription.objects.filter(_idle(), pk=pk)
    if not idle.update(claims=F("claims") + 1, claimed_until_at=database_after(CLAIM), tag=tag):
        return None
    device = PushSubscription.objects.select_related("person").get(pk=pk)
    due = PushDelivery.objects.filter(subscription=device, sent_at=None, due_at__lte=database_now())
    rows = list(due.filter(notice__person=device.person_id).select_related("notice").order_by("pk")[:BATCH_MOST])
    shown = notices_readable(device.person, [one.notice for one in rows if one.notice.read_at is None])
    numbers = {one.pk for one in shown}
    PushDelivery.objects.filter(pk__in=[one.pk for one in rows if one.notice_id not in numbers]).delete()
    if not shown:
        PushSubscription.objects.filter(pk=pk).update(claimed_until_at=None)
        return None
    covered = [one.pk for one in rows if one.notice_id in numbers]
    return ClaimedPush(device, _payload(device, shown), covered)


def _payload(device: PushSubscription, notices: list[Notice]) -> bytes:
    """Return the content of a message as JSON: a title, a few sentences, and the path of a page of this site."""
    count = len(notices)
    with email_language_of(device.person):
        lines = [notice_line_of(one) for one in notices[-LINES_MOST:]]
        several = ngettext("%(count)d notice from %(site)s", "%(count)d notices from %(site)s", count)
        title = several % {"count": count, "site": settings.SITE_NAME} if count > 1 else settings.SITE_NAME
    page = reverse("notices:inbox")
    if count == 1:
        page = reverse("notices:follow", args=[notices[0].pk]) if notices[0].in_inbox else lines[0].path or page
    body = "\n".join(one.text[:LINE_MOST] for one in lines)
    message = {"title": title, "body": body, "path": page, "tag": web_push_tag_of(device)}
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
