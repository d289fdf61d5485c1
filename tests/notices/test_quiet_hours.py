"""Quiet hours: emails about notices wait for their end, by the clock of the person's time zone."""

from datetime import UTC, datetime, time, timedelta
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.db import IntegrityError
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from notices.emails import due_notice_emails_send
from notices.models import Notice, QuietHours
from notices.quiet_hours import Quiet, quiet_hours, quiet_hours_set
from tests.arena.factories import UserFactory
from tests.notices.test_emails import due
from tests.notices.test_pages import call, signed_in

NIGHT = Quiet(time(22), time(7), "Europe/Zurich")


def zurich(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=ZoneInfo("Europe/Zurich"))  # type: ignore[misc, arg-type]  # year, month, day, ...


@pytest.mark.parametrize(
    ("when", "until"),
    [
        (zurich(2026, 6, 1, 21, 59), zurich(2026, 6, 1, 21, 59)),
        (zurich(2026, 6, 1, 22, 0), zurich(2026, 6, 2, 7, 0)),
        (zurich(2026, 6, 2, 3, 0), zurich(2026, 6, 2, 7, 0)),
        (zurich(2026, 6, 2, 7, 0), zurich(2026, 6, 2, 7, 0)),
        (zurich(2026, 3, 28, 23, 0), zurich(2026, 3, 29, 7, 0)),  # eight hours later less one: the clock is put forward
        (zurich(2026, 10, 24, 23, 0), zurich(2026, 10, 25, 7, 0)),
    ],
)
def test_emails_due_at_night_wait_for_the_morning(when: datetime, until: datetime) -> None:
    assert NIGHT.end_after(when) == until


@given(
    st.datetimes(datetime(2020, 1, 1), datetime(2035, 1, 1), timezones=st.just(UTC)),
    st.times().map(lambda one: one.replace(microsecond=0)),
    st.times().map(lambda one: one.replace(microsecond=0)),
    st.sampled_from(["UTC", "Europe/Zurich", "America/St_Johns", "Pacific/Chatham", "Australia/Lord_Howe"]),
)
def test_an_email_is_never_early_and_waits_a_day_at_most(when: datetime, start: time, end: time, zone: str) -> None:
    if start == end:
        return
    due = Quiet(start, end, zone).end_after(when)
    assert when <= due <= when + timedelta(hours=25)
    local = when.astimezone(ZoneInfo(zone)).time()
    outside = not (start <= local < end) if start < end else end <= local < start
    assert (due == when) or not outside


@pytest.mark.django_db
@pytest.mark.parametrize("is_begun", [False, True])
def test_nothing_is_sent_in_quiet_hours_whenever_it_was_due(is_begun: bool, mailoutbox: list[Any]) -> None:
    """Also what was due before they began, or before they were chosen, and a batch that a killed task has begun."""
    person, other = UserFactory(), UserFactory()
    now = timezone.now()
    clock = now.time().replace(second=0, microsecond=0)
    batch = {"email_batch": uuid4()} if is_begun else {}
    for one in (person, other):
        due(one, email_at=now - timedelta(days=1), **batch)
    almost_all_day = Quiet(clock, (now - timedelta(minutes=2)).time().replace(second=0, microsecond=0), "UTC")
    quiet_hours_set(person=person, quiet=almost_all_day)
    assert (due_notice_emails_send(), due_notice_emails_send()) == (1, 0)
    assert [one.to for one in mailoutbox] == [[other.email]]
    waiting = Notice.objects.get(person=person)
    assert waiting.email_at == almost_all_day.end_after(now)
    Notice.objects.filter(pk=waiting.pk).update(email_at=now)
    quiet_hours_set(person=person, quiet=None)
    assert due_notice_emails_send() == 1


@pytest.mark.django_db
def test_they_are_set_changed_and_ended_on_the_page_and_over_the_api() -> None:
    person = UserFactory()
    client = signed_in(person)
    form = client.get(reverse("notices:settings")).context["form"]
    rest = {f"email-{kind.name}": "never" for kind in form.kinds}
    sent = {**rest, "quiet-start": "22:00", "quiet-end": "07:00", "quiet-time_zone": "Europe/Zurich"}
    assert client.post(reverse("notices:settings"), sent).status_code == 302
    assert quiet_hours(person) == NIGHT
    assert 'value="22:00"' in client.get(reverse("notices:settings")).content.decode()
    read = call(person, "get", "/api/notices/channels/").json()["quiet_hours"]
    assert read == {"start": "22:00:00", "end": "07:00:00", "time_zone": "Europe/Zurich"}
    later = {"start": "23:00", "end": "06:30", "time_zone": "Asia/Tokyo"}
    assert call(person, "patch", "/api/notices/channels/", {"quiet_hours": later}).status_code == 200
    assert quiet_hours(person) == Quiet(time(23), time(6, 30), "Asia/Tokyo")
    assert call(person, "patch", "/api/notices/channels/", {"quiet_hours": None}).json()["quiet_hours"] is None
    assert client.post(reverse("notices:settings"), {**rest, "quiet-time_zone": "UTC"}).status_code == 302
    assert not QuietHours.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("start", "end", "zone"),
    [("22:00", "", "UTC"), ("", "07:00", "UTC"), ("07:00", "07:00", "UTC"), ("22:00", "25:00", "UTC"), ("1", "2", "X")],
)
def test_hours_without_an_end_or_a_known_zone_are_refused(start: str, end: str, zone: str) -> None:
    person = UserFactory()
    client: Client = signed_in(person)
    rest = {f"email-{kind.name}": "never" for kind in client.get(reverse("notices:settings")).context["form"].kinds}
    sent = {**rest, "quiet-start": start, "quiet-end": end, "quiet-time_zone": zone}
    assert client.post(reverse("notices:settings"), sent).status_code == 422
    body = {"quiet_hours": {"start": start, "end": end, "time_zone": zone}}
    assert call(person, "patch", "/api/notices/channels/", body).status_code == 400
    assert not QuietHours.objects.exists()


@pytest.mark.django_db
def test_the_database_refuses_hours_that_never_end() -> None:
    with pytest.raises(IntegrityError):
        QuietHours.objects.create(person=UserFactory(), start=time(7), end=time(7), time_zone="UTC")
