"""Many notices of one cause: in bounded batches, and a kill in the middle neither doubles nor loses one."""

from typing import Any
from uuid import uuid5

import pytest
from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from hooks.services import Event
from notices import services
from notices.emails import due_notice_emails_send
from notices.models import Notice
from notices.selectors import Channels
from notices.services import notice_channels_set, notice_events_publish
from tests.arena.factories import UserFactory
from tournaments.hook_events import EVENTS, FINISHED

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "AT_ONCE", 20)
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def people_made(count: int) -> list[int]:
    users = get_user_model().objects.bulk_create(
        get_user_model()(username=f"hen-{number}", email=f"hen-{number}@example.org") for number in range(count)
    )
    return [user.pk for user in users]


def event_of(people: Any, number: int = 0) -> Event:
    data = {"name": f"Cup {number}", "state": "finished", "page": ""}
    return Event(FINISHED, people, data, uuid5(EVENTS, f"storm {number}"))


def publish(events: list[Event]) -> int:
    with transaction.atomic():
        return notice_events_publish(events=events)


def test_one_event_for_many_people_is_written_in_batches() -> None:
    people = people_made(100)
    with CaptureQueriesContext(connection) as queries:
        assert publish([event_of(people)]) == 100
    written = [one["sql"] for one in queries if one["sql"].startswith("INSERT")]
    assert len(written) == 5
    assert Notice.objects.count() == 100


def test_many_events_of_a_person_each_are_written_in_batches() -> None:
    people = people_made(100)
    with CaptureQueriesContext(connection) as queries:
        assert publish([event_of([person], number) for number, person in enumerate(people)]) == 100
    assert len(queries) <= 5 * 3 + 4  # not one for each event
    assert Notice.objects.values("person", "event").distinct().count() == 100


def test_a_kill_in_the_middle_writes_all_or_nothing_and_again_writes_each_once(monkeypatch: pytest.MonkeyPatch) -> None:
    people, batches = people_made(100), 0
    write = services._notices_write

    def killed(batch: Any) -> int:
        nonlocal batches
        batches += 1
        if batches == 3:
            raise SystemExit
        return write(batch)

    with monkeypatch.context() as patched:
        patched.setattr(services, "_notices_write", killed)
        with pytest.raises(SystemExit):
            publish([event_of(people)])
    assert Notice.objects.count() == 0, "with its cause, or not at all"
    for _again in range(2):
        publish([event_of(people)])
    assert Notice.objects.count() == 100


def test_the_emails_of_a_storm_are_one_for_each_person_also_after_a_kill(
    monkeypatch: pytest.MonkeyPatch, mailoutbox: list[Any]
) -> None:
    person, other = UserFactory(), UserFactory()
    for one in (person, other):
        notice_channels_set(person=one, channels={FINISHED: Channels(True, "now")})
    publish([event_of([person.pk, other.pk], number) for number in range(50)])
    monkeypatch.setattr("notices.emails.PEOPLE_AT_ONCE", 1)
    assert (due_notice_emails_send(), due_notice_emails_send(), due_notice_emails_send()) == (1, 1, 0)
    assert sorted(one.to[0] for one in mailoutbox) == sorted([person.email, other.email])
    assert "50" in mailoutbox[0].subject
