"""Emails about notices: each once, none early, none lost while the mail server or a worker is away."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core import mail
from django.db.models import F
from django.test import Client
from django.utils import timezone

from notices.emails import AN_HOUR, EMAILS_MOST, due_notice_emails_send, unsubscribe_token, unsubscribe_token_person
from notices.models import EmailRate, Notice
from notices.selectors import Channels, notice_channels_by_person, notice_channels_of, notice_kinds
from notices.services import notice_channels_set, notice_emails_end, notices_mark_read
from tests.arena.factories import UserFactory
from tournaments.hook_events import FINISHED
from web.email import MailAway

pytestmark = pytest.mark.django_db


def due(person: Any, count: int = 1, **fields: Any) -> list[Notice]:
    rows = [
        Notice(
            person=person,
            event=uuid4(),
            kind=FINISHED,
            data={"name": f"Cup {number}", "state": "finished", "page": f"http://testserver/tournaments/cup-{number}/"},
            **({"email_at": timezone.now() - timedelta(seconds=1)} | fields),
        )
        for number in range(count)
    ]
    return Notice.objects.bulk_create(rows)


def test_a_notice_is_sent_once_with_its_sentence_and_link() -> None:
    person = UserFactory()
    due(person)
    assert due_notice_emails_send() == 1
    assert due_notice_emails_send() == 0
    (sent,) = mail.outbox
    assert (sent.subject, sent.to) == ("Cup 0 has finished.", [person.email])
    assert "/tournaments/cup-0/" in sent.body
    assert Notice.objects.get().emailed_at is not None


def test_many_are_one_email_of_bounded_length() -> None:
    person = UserFactory()
    due(person, 300)
    assert due_notice_emails_send() == 1
    (sent,) = mail.outbox
    assert sent.subject == "300 notices from Pecking Order"
    assert "and 250 more" in sent.body
    assert sent.body.count("has finished.") == 50


def test_nobody_gets_more_than_twenty_in_an_hour_and_the_rest_is_one() -> None:
    person, other = UserFactory.create_batch(2)
    for _ in range(EMAILS_MOST + 5):
        due(person)
        due_notice_emails_send()
    due(other)
    due_notice_emails_send()
    assert [message.to[0] for message in mail.outbox].count(person.email) == EMAILS_MOST
    assert [message.to[0] for message in mail.outbox].count(other.email) == 1
    waiting = Notice.objects.filter(person=person, emailed_at=None)
    assert waiting.count() == 5
    first = Notice.objects.filter(person=person).exclude(emailed_at=None).earliest("emailed_at").emailed_at
    assert first is not None
    assert set(waiting.values_list("email_at", flat=True)) == {first + timedelta(hours=1)}
    Notice.objects.filter(person=person).exclude(emailed_at=None).update(emailed_at=F("emailed_at") - AN_HOUR)
    waiting.update(email_at=F("email_at") - AN_HOUR)
    mail.outbox.clear()
    assert due_notice_emails_send() == 1
    assert mail.outbox[0].subject == "5 notices from Pecking Order"


def test_none_is_sent_before_it_is_due() -> None:
    due(UserFactory(), email_at=timezone.now() + timedelta(hours=1))
    due(UserFactory(), email_at=None)
    assert due_notice_emails_send() == 0
    assert not mail.outbox


def test_read_notices_are_not_in_the_digest() -> None:
    person = UserFactory()
    due(person, 2)
    notices_mark_read(person=person)
    assert due_notice_emails_send() == 0


def test_while_the_mail_server_is_away_nothing_is_lost_or_doubled(monkeypatch: pytest.MonkeyPatch) -> None:
    person = UserFactory()
    due(person, 2)

    def away(self: Any, *_args: Any) -> int:
        raise MailAway("down")

    with monkeypatch.context() as patched:
        patched.setattr("django.core.mail.message.EmailMessage.send", away)
        assert due_notice_emails_send() == 0
    assert due_notice_emails_send() == 0  # the claim has not run out
    (batch,) = set(Notice.objects.values_list("email_batch", flat=True))
    due(person)  # comes meanwhile, and is no part of what was begun
    Notice.objects.exclude(email_batch=None).update(email_claimed_until=datetime(2020, 1, 1, tzinfo=UTC))
    assert due_notice_emails_send() == 1
    assert due_notice_emails_send() == 1
    again, later = mail.outbox
    assert batch.hex in again.extra_headers["Message-ID"]
    assert (again.subject, later.subject) == ("2 notices from Pecking Order", "Cup 0 has finished.")
    assert due_notice_emails_send() == 0


def test_a_task_that_was_killed_after_sending_sends_the_same_message_id_again() -> None:
    due(UserFactory())
    due_notice_emails_send()
    Notice.objects.update(emailed_at=None)
    due_notice_emails_send()
    first, second = mail.outbox
    assert first.extra_headers["Message-ID"] == second.extra_headers["Message-ID"]


def test_one_address_that_is_refused_holds_up_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong, right = UserFactory(), UserFactory()
    due(wrong, email_at=timezone.now() - timedelta(hours=1))
    due(right)
    send = mail.EmailMessage.send

    def refuse(self: Any, *args: Any) -> Any:
        if self.to == [wrong.email]:
            raise OSError("550")
        return send(self, *args)

    monkeypatch.setattr("django.core.mail.message.EmailMessage.send", refuse)
    assert due_notice_emails_send() == 1


def test_people_without_an_address_or_with_a_closed_account_get_none() -> None:
    due(UserFactory(email=""))
    due(UserFactory(is_active=False))
    assert due_notice_emails_send() == 0
    assert not mail.outbox


def test_one_click_stops_all_emails_and_leaves_the_inbox() -> None:
    person = UserFactory()
    notice_channels_set(person=person, channels={FINISHED: Channels(True, EmailRate.DAILY)})
    due(person)
    due_notice_emails_send()
    headers = mail.outbox[0].extra_headers
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    path = headers["List-Unsubscribe"].strip("<>").removeprefix("http://testserver")
    due(person)
    program = Client(enforce_csrf_checks=True)
    assert program.get(path).status_code == 200
    assert dict(notice_channels_of(person))  # a GET changes nothing
    assert [one.email for kind, one in notice_channels_of(person) if kind.name == FINISHED] == [EmailRate.DAILY]
    assert program.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert {one.email for _kind, one in notice_channels_of(person)} == {EmailRate.NEVER}
    assert [one.in_inbox for kind, one in notice_channels_of(person) if kind.name == FINISHED] == [True]
    assert due_notice_emails_send() == 0


@pytest.mark.parametrize("token", ["x", "1:2:3", "../", "\N{SNOWMAN}", "a" * 3000])
def test_a_forged_link_unsubscribes_nobody(client: Client, token: str) -> None:
    assert unsubscribe_token_person(token) is None


def test_a_link_of_another_kind_of_token_does_not_fit() -> None:
    person = UserFactory()
    token = unsubscribe_token(person)
    assert unsubscribe_token_person(token) == person
    assert unsubscribe_token_person(token[:-1] + ("a" if token[-1] != "a" else "b")) is None


def test_stopping_covers_every_kind() -> None:
    person = UserFactory()
    notice_emails_end(person=person)
    assert len(notice_channels_of(person)) == len(notice_kinds()) > 4
    assert {one.email for _kind, one in notice_channels_of(person)} == {EmailRate.NEVER}


def test_stopping_covers_kinds_of_later_releases_until_some_emails_are_chosen_again() -> None:
    person, other = UserFactory(), UserFactory()
    notice_emails_end(person=person)
    later = replace(notice_kinds()[0], name="bird.moulted", email=EmailRate.NOW)
    assert {
        one: channels.email for one, channels in notice_channels_by_person(later, [person.pk, other.pk]).items()
    } == {
        person.pk: EmailRate.NEVER,
        other.pk: EmailRate.NOW,
    }
    [(kind, _chosen), *_rest] = notice_channels_of(person)
    notice_channels_set(person=person, channels={kind.name: Channels(True, EmailRate.DAILY)})
    assert notice_channels_by_person(later, [person.pk])[person.pk].email == EmailRate.NOW
