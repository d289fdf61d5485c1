"""An event becomes one notice for each person, in the transaction of its cause, by the channels they chose."""

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from hooks.models import Delivery
from hooks.services import Event
from notices.models import EmailRate, Notice, NoticeChoice
from notices.selectors import (
    Channels,
    has_notice_readers,
    notice_line_of,
    notices_of,
    unread_notices_label,
    with_unread_notices,
)
from notices.services import _email_due, notice_channels_set, notice_events_publish, notices_drop, notices_mark_read
from tests.arena.factories import UserFactory
from tests.bots.factories import BotVersionFactory
from tests.hooks.factories import hook_of
from tests.tournaments.factories import TournamentFactory
from tournaments.hook_events import FINISHED, tournament_state_event_publish

pytestmark = pytest.mark.django_db
DATA = {"tournament": "cup", "name": "Cup", "state": "finished", "page": "http://testserver/tournaments/cup/"}


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def publish(*people: Any, kind: str = FINISHED, **fields: Any) -> Event:
    event = Event(kind, [one.pk for one in people], DATA, **fields)
    with transaction.atomic():
        notice_events_publish(events=[event])
    return event


def test_each_person_gets_one_notice_however_often_the_event_is_published() -> None:
    one, other = UserFactory(), UserFactory()
    event = publish(one, other)
    publish(one, other, id=event.id)
    assert sorted(Notice.objects.values_list("person", flat=True)) == [one.pk, other.pk]


def test_webhooks_get_the_event_too() -> None:
    hook = hook_of()
    event = publish(hook.owner)
    assert Delivery.objects.get(hook=hook).event == event.id == Notice.objects.get().event


def test_it_is_rolled_back_with_the_transaction_of_its_cause() -> None:
    person = UserFactory()
    with transaction.atomic():
        notice_events_publish(events=[Event(FINISHED, [person.pk], DATA)])
        transaction.set_rollback(True)
    assert not Notice.objects.exists()


def test_outside_a_transaction_nothing_is_published(transactional_db: None) -> None:
    with pytest.raises(AssertionError):
        notice_events_publish(events=[Event(FINISHED, [UserFactory().pk], DATA)])


def test_a_person_without_a_channel_gets_no_notice() -> None:
    person, other = UserFactory(), UserFactory()
    notice_channels_set(person=person, channels={FINISHED: Channels(False, EmailRate.NEVER)})
    publish(person, other)
    assert [one.person_id for one in Notice.objects.all()] == [other.pk]


def test_a_person_with_email_only_has_nothing_in_the_inbox() -> None:
    person = UserFactory()
    notice_channels_set(person=person, channels={FINISHED: Channels(False, EmailRate.NOW)})
    publish(person)
    assert Notice.objects.get().email_at is not None
    assert not notices_of(person).exists()


def test_accounts_that_are_closed_get_none() -> None:
    publish(UserFactory(is_active=False))
    assert not Notice.objects.exists()


def test_a_frequent_kind_is_written_only_for_those_who_chose_it() -> None:
    person, other = UserFactory(), UserFactory()
    assert not has_notice_readers("match.finished")
    notice_channels_set(person=person, channels={"match.finished": Channels(True, EmailRate.NEVER)})
    assert has_notice_readers("match.finished")
    data = {"match": 1, "names": ["A", "B"]}
    with transaction.atomic():
        notice_events_publish(events=[Event("match.finished", [person.pk, other.pk], data)])
    assert [notice_line_of(one).text for one in Notice.objects.filter(person=person)] == [
        "A match has finished: A - B."
    ]
    assert Notice.objects.count() == 1


def test_a_thousand_recipients_take_a_bounded_number_of_statements() -> None:
    people = UserFactory.create_batch(1050)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        publish(*people)
    assert Notice.objects.count() == 1050
    assert len(queries) <= 30


def test_the_events_of_tournaments_and_bots_become_sentences(settings: Any) -> None:
    cup = TournamentFactory(name="Barnyard Cup")
    with transaction.atomic():
        tournament_state_event_publish(cup.pk, "tournament.started")
    (notice,) = notices_of(cup.organiser)
    line = notice_line_of(notice)
    assert line.text == "Barnyard Cup has started."
    assert line.path == f"/tournaments/{cup.slug}/"


def test_a_notice_of_a_refused_version_has_the_reason() -> None:
    version = BotVersionFactory()
    data = {"name": version.bot.name, "version": 1, "state": "refused", "verdict": "crashed", "page": "/x/"}
    with transaction.atomic():
        notice_events_publish(events=[Event("version.verdict", [version.bot.owner_id], data)])
    (notice,) = notices_of(version.bot.owner)
    assert notice_line_of(notice).text == f"{version.bot.name}, version 1, was refused. The bot raised an exception."


@pytest.mark.parametrize("page", ["//evil.example/x", "https://evil.example//x", "javascript:alert(1)", "", 7, None])
def test_a_notice_leads_nowhere_but_to_this_site(page: Any) -> None:
    notice = Notice(kind=FINISHED, data={**DATA, "page": page}, event=uuid4())
    assert notice_line_of(notice).path in ("", "/x")  # a path of this site, or none


def test_a_notice_of_a_removed_kind_is_empty() -> None:
    assert notice_line_of(Notice(kind="gone.kind", data={}, event=uuid4())).text == ""


def test_unread_notices_are_counted_up_to_a_limit(django_assert_num_queries: Any) -> None:
    person = UserFactory()
    TournamentFactory(slug="cup", state="open")

    def label(queries: int = 2) -> str:
        reader = with_unread_notices(type(person).objects.filter(pk=person.pk)).get()
        with django_assert_num_queries(queries):
            return unread_notices_label(reader)

    assert label(0) == ""
    rows = [Notice(person=person, event=uuid4(), kind=FINISHED, data=DATA) for _ in range(120)]
    Notice.objects.bulk_create(rows)
    assert label() == "99+"
    first = notices_of(person).last()
    assert first
    assert notices_mark_read(person=person, notice_id=first.pk) == 1
    assert notices_mark_read(person=person, notice_id=first.pk) == 0
    assert notices_mark_read(person=UserFactory()) == 0
    assert notices_mark_read(person=person) == 119
    assert label(0) == ""
    for tournament in ("cup", "gone"):  # what they may not see any more is not counted
        Notice.objects.create(person=person, event=uuid4(), kind=FINISHED, data=DATA | {"tournament": tournament})
    assert label() == "1"
    assert unread_notices_label(AnonymousUser()) == ""


def test_old_notices_are_deleted(settings: Any) -> None:
    publish(UserFactory())
    assert notices_drop() == 0
    Notice.objects.update(created_at=datetime(2020, 1, 1, tzinfo=UTC))
    assert notices_drop() == 1


def test_the_database_refuses_invalid_rows() -> None:
    person = UserFactory()
    publish(person)
    for wrong in ({"emailed_at": datetime.now(UTC)}, {"email_batch": uuid4()}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Notice.objects.update(**wrong)
    with pytest.raises(IntegrityError), transaction.atomic():
        NoticeChoice.objects.create(person=person, kind=FINISHED, in_inbox=True, email="hourly")


@given(now=st.datetimes(datetime(2020, 1, 1), datetime(2040, 1, 1), timezones=st.just(UTC)))
def test_digests_are_due_later_at_six_and_those_of_a_week_on_monday(now: datetime) -> None:
    daily, weekly = _email_due("daily", now), _email_due("weekly", now)
    assert daily
    assert weekly
    assert 0 < (daily - now).total_seconds() <= 24 * 3600
    assert 0 < (weekly - now).total_seconds() <= 7 * 24 * 3600
    assert (daily.hour, daily.minute, weekly.hour, weekly.weekday()) == (6, 0, 6, 0)
    assert _email_due("now", now) == now
    assert _email_due("never", now) is None
