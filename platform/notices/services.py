"""Publish events as notices and webhook messages, and change what a person has read, chosen or follows."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone

from hooks.kinds import hook_kinds_known
from hooks.services import Event, hook_deliveries_write
from notices.emails import notice_emails_schedule
from notices.models import EVERY_KIND, EmailRate, Notice, NoticeChoice, PushDelivery
from notices.push import pushes_write
from notices.selectors import Channels, notice_channels_by_person, notice_channels_of, notices_of, older_notices_of_kind
from teams.selectors import team_people_by_account
from web.database import database_after, database_now

AT_ONCE: Final = 1000  # notices written in one statement
DIGEST_HOUR: Final = 6  # UTC
DROPPED_AT_ONCE: Final = 10_000


def notice_events_publish(*, events: Sequence[Event]) -> int:
    """Write the notices and webhook deliveries of ``events``. Call it in the transaction of their cause.

    Return the number of notices, at most one for each person and event. Events for a team go to its members.

    ``AT_ONCE`` notices are written at a time. Each such batch takes two queries, one more for each kind of events in
    it, and three more if somebody gets notices on devices.
    """
    assert transaction.get_connection().in_atomic_block  # noqa: S101  they are committed with their cause or not at all
    behind = team_people_by_account({one for event in events for one in event.people})
    events = [
        replace(event, people=set[int]().union(*(behind[one] for one in event.people if one is not None)))
        for event in events
    ]
    hook_deliveries_write(events=events)
    pairs = ((event, person) for event in events for person in sorted(event.people))
    written = 0
    while batch := list(islice(pairs, AT_ONCE)):
        written += _notices_write(batch)
    return written


def notices_mark_read(*, person: Any, notice_id: int | None = None, line: Notice | None = None) -> int:
    """Mark notices of a person as read. Return how many were unread.

    ``notice_id`` selects one notice. ``line`` is the newest notice of a line of the inbox, and selects all notices of
    that line. Without both, all notices are marked.
    """
    unread = notices_of(person).filter(read_at=None).order_by()
    if notice_id is not None:
        unread = unread.filter(pk=notice_id)
    if line is not None:
        unread = unread.filter(older_notices_of_kind(line))
    return unread.update(read_at=database_now())


def notice_channels_set(*, person: Any, channels: Mapping[str, Channels]) -> None:
    """Store a person's channels by kind. Messages that wait on a channel are not sent if the channel is now off."""
    with transaction.atomic():
        NoticeChoice.objects.bulk_create(
            [
                NoticeChoice(person=person, kind=kind, in_inbox=one.in_inbox, email=one.email, push=one.push)
                for kind, one in channels.items()
            ],
            update_conflicts=True,
            unique_fields=["person", "kind"],
            update_fields=["in_inbox", "email", "push"],
        )
        silent = [kind for kind, one in channels.items() if one.email == EmailRate.NEVER]
        if len(silent) < len(channels):
            NoticeChoice.objects.filter(person=person, kind=EVERY_KIND).delete()
        waiting = Notice.objects.filter(person=person, kind__in=silent, email_at__isnull=False, email_batch=None)
        waiting.update(email_at=None)
        unpushed = [kind for kind, one in channels.items() if not one.push]
        PushDelivery.objects.filter(notice__person=person, notice__kind__in=unpushed, sent_at=None).delete()


def notice_emails_end(*, person: Any) -> None:
    """Turn off a person's emails for all kinds, including future ones, until they turn some on.

    The inbox is not changed.
    """
    silent = {kind.name: replace(chosen, email=EmailRate.NEVER) for kind, chosen in notice_channels_of(person)}
    notice_channels_set(person=person, channels=silent | {EVERY_KIND: Channels(True, EmailRate.NEVER)})


def notices_delete(*, person_id: int, field: str, values: Iterable[Any]) -> int:
    """Delete a person's notices whose data have one of ``values`` in ``field``. Call it if the person may no longer see
    these notices.
    """
    return Notice.objects.filter(**{"person": person_id, f"data__{field}__in": list(values)}).delete()[0]


def notices_withdraw(*, event: UUID, since: datetime) -> int:
    """Delete all notices of an event since ``since``, because its cause was deleted. Return their number."""
    return Notice.objects.filter(event=event, created_at__gte=since).delete()[0]


def notices_drop() -> int:
    """Delete notices older than ``NOTICE_DAYS``, at most ``DROPPED_AT_ONCE``. Return their number."""
    old = Notice.objects.filter(created_at__lt=database_after(-timedelta(days=settings.NOTICE_DAYS)))
    return Notice.objects.filter(pk__in=list(old.values_list("pk", flat=True)[:DROPPED_AT_ONCE])).delete()[0]


def _email_due(rate: str, now: datetime) -> datetime | None:
    """Return when an email about an event at ``now`` is due: digests at 6:00 UTC, weekly ones on Monday."""
    if rate == EmailRate.NEVER:
        return None
    if rate == EmailRate.NOW:
        return now
    due = now.astimezone(UTC).replace(hour=DIGEST_HOUR, minute=0, second=0, microsecond=0)
    if rate == EmailRate.WEEKLY:
        due += timedelta(days=-due.weekday() % 7)
    step = timedelta(days=7 if rate == EmailRate.WEEKLY else 1)
    return due if due > now else due + step


def _notices_write(batch: Sequence[tuple[Event, int]]) -> int:
    """Write the notices for pairs of an event and a person, in one statement. Return their number."""
    people: dict[str, set[int]] = {}
    for event, person in batch:
        people.setdefault(event.kind, set()).add(person)
    channels = {kind: notice_channels_by_person(hook_kinds_known()[kind], found) for kind, found in people.items()}
    readers = set[int]().union(*channels.values())
    if not readers:
        return 0
    active = set(get_user_model().objects.filter(pk__in=readers, is_active=True).values_list("pk", flat=True))
    now = timezone.now()
    rows = [
        _notice_row(event, person, channels[event.kind][person], now)
        for event, person in batch
        if person in active and person in channels[event.kind]
    ]
    Notice.objects.bulk_create(rows, ignore_conflicts=True)
    if any(row.email_at == now for row in rows):
        transaction.on_commit(notice_emails_schedule)
    pushes_write(notices=[row for row in rows if channels[row.kind][row.person_id].push], since=now)
    return len(rows)


def _notice_row(event: Event, person: int, channels: Channels, now: datetime) -> Notice:
    return Notice(
        person_id=person,
        event=event.id,
        kind=event.kind,
        data=dict(event.data),
        in_inbox=channels.in_inbox,
        email_at=_email_due(channels.email, now),
    )
