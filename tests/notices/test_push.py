"""What devices are sent: encrypted, signed, each once, and nothing lost while a push service or a worker is away."""

import json
import threading
import time
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from arena.accounts.deletion import account_delete
from hooks.services import Event
from notices import push, web_push
from notices.models import Notice, PushDelivery, PushSubscription
from notices.push import LIFETIME, PUSHES_MOST, due_pushes_send, push_attempt_note, pushes_claim
from notices.quiet_hours import Quiet, quiet_hours_set
from notices.selectors import Channels
from notices.services import notice_channels_set, notice_events_publish, notices_mark_read
from notices.web_push import application_server_key
from tests.arena.factories import UserFactory
from tests.hooks.receivers import receiving, talking
from tests.hooks.test_http_post import hang
from tests.notices.push_service import Browser, claims_of, endpoint
from tests.tournaments.factories import TournamentFactory
from tournaments.hook_events import FINISHED

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _here(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.HOOKS_ANYWHERE = True
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def reader(**fields: Any) -> Any:
    """Somebody who wants one kind of notices on devices."""
    person = UserFactory(**fields)
    notice_channels_set(person=person, channels={FINISHED: Channels(True, "never", push=True)})
    return person


def publish(*people: Any, name: str = "Cup", kind: str = FINISHED, **fields: Any) -> Event:
    data = {"name": name, "state": "finished", "page": f"http://testserver/tournaments/{name.lower()}/"}
    event = Event(kind, [one.pk for one in people], data, **fields)
    with transaction.atomic():
        notice_events_publish(events=[event])
    return event


def later(**by: int) -> None:
    """Let claims run out, and pauses be over."""
    PushSubscription.objects.filter(claimed_until_at__isnull=False).update(claimed_until_at="2020-01-01T00:00Z")
    PushSubscription.objects.filter(retry_at__isnull=False).update(retry_at="2020-01-01T00:00Z")
    PushDelivery.objects.update(due_at=F("due_at") - timedelta(**by))
    PushDelivery.objects.exclude(sent_at=None).update(sent_at=F("sent_at") - timedelta(**by))


def test_each_device_gets_a_notice_once_encrypted_and_signed() -> None:
    person, other = reader(), UserFactory()
    with receiving(201) as server:
        phone, desk = Browser(endpoint(server)), Browser(endpoint(server, "two"))
        phone.added(person)
        desk.added(person)
        Browser(endpoint(server, "other")).added(other)  # chose nothing
        event = publish(person, other)
        publish(person, other, id=event.id)
        assert due_pushes_send() == 2
        publish(person, other, id=event.id)
        publish(person, kind="match.finished")
        assert due_pushes_send() == 0
    notice = Notice.objects.get(person=person)
    for browser in (phone, desk):
        (message,) = browser.shown(server)
        assert (message["title"], message["body"]) == ("Pecking Order", "Cup has finished.")
        assert message["path"] == f"/notices/{notice.pk}/"
    (_path, headers, body), _other = server.received
    assert b"Cup" not in body
    assert (headers["content-encoding"], headers["ttl"]) == ("aes128gcm", "86400")
    assert headers["topic"] in {browser.shown(server)[0]["tag"] for browser in (phone, desk)}
    claims = claims_of(headers["authorization"], application_server_key())
    assert claims["aud"] == f"http://127.0.0.1:{server.server_port}"
    assert time.time() < claims["exp"] <= time.time() + 24 * 3600
    assert claims["sub"] == "mailto:pecking-order@localhost"


def test_simultaneous_notices_are_one_bounded_message_in_the_language_of_the_person() -> None:
    person = reader(language="de")
    with receiving(201) as server:
        phone = Browser(endpoint(server))
        phone.added(person)
        for number in range(30):
            publish(person, name=f"{number} " + "\N{CHICKEN}\x01" * 500)
        assert due_pushes_send() == 1
    (message,) = phone.shown(server)
    assert message["title"].startswith("30 ")
    assert message["title"] != "30 notices from Pecking Order"
    assert [line.split(" ")[0] for line in message["body"].split("\n")] == ["27", "28", "29"]
    assert message["path"] == "/notices/"
    assert len(server.received[0][2]) <= 4096
    assert not PushDelivery.objects.filter(sent_at=None).exists()


def test_a_message_has_the_text_of_the_inbox_when_it_is_sent() -> None:
    person = reader()
    hidden = TournamentFactory()
    with receiving(201) as server:
        phone = Browser(endpoint(server))
        phone.added(person)
        publish(person, name="Read")
        notices_mark_read(person=person)
        publish(person, name="Seen")
        publish(person, name="Sealed")
        Notice.objects.filter(data__name="Sealed").update(data={"name": "Sealed", "tournament": hidden.slug + "-gone"})
        assert due_pushes_send() == 1
        notice_channels_set(person=person, channels={FINISHED: Channels(False, "never", push=True)})
        publish(person, name="Outside")
        assert due_pushes_send() == 1
        publish(person, name="Unwanted")
        notice_channels_set(person=person, channels={FINISHED: Channels(True, "never")})
        assert due_pushes_send() == 0
    assert [(message["body"], message["path"]) for message in phone.shown(server)] == [
        ("Seen has finished.", f"/notices/{Notice.objects.get(data__name='Seen').pk}/"),
        ("Outside has finished.", "/tournaments/outside/"),
    ]


def test_a_message_of_a_process_killed_before_recording_is_sent_again_with_its_tag() -> None:
    person = reader()
    with receiving(201) as server:
        phone = Browser(endpoint(server))
        phone.added(person)
        publish(person)
        (killed,) = pushes_claim(most=10)
        assert pushes_claim(most=10) == []
        publish(person, name="More")
        later()
        assert due_pushes_send() == 1
        assert not push_attempt_note(claimed=killed, status=500)  # it was slow, not dead
        publish(person, name="Next")
        due_pushes_send()
    first, second = phone.shown(server)
    assert killed.subscription.tag is not None
    assert (first["tag"], first["body"]) == (killed.subscription.tag.hex, "Cup has finished.\nMore has finished.")
    assert second["tag"] != first["tag"]
    assert json.loads(killed.payload)["tag"] == first["tag"]


def test_a_push_service_that_is_away_for_a_day_delays_and_loses_nothing_until_then() -> None:
    person, other = reader(), reader()
    with receiving(500) as server:
        phone, desk = Browser(endpoint(server)), Browser(endpoint(server, "desk"))
        phone.added(person)
        desk.added(other)
        publish(person, other, name="Old")
        for tries in range(1, 7):
            assert due_pushes_send() == 2
            assert due_pushes_send() == 0  # it is left alone for a while
            device = PushSubscription.objects.get(person=person)
            assert (device.tries, device.claimed_until_at) == (tries, None)
            later(hours=3)
        server.status = 201
        assert due_pushes_send() == 2
        assert PushSubscription.objects.get(person=person).tries == 0
        server.status = 503
        publish(person, name="Stale")
        due_pushes_send()
        later(seconds=int(LIFETIME.total_seconds()))
        server.status = 201
        publish(person, name="New")
        assert due_pushes_send() == 1
    assert {message["tag"] for message in phone.shown(server)[:7]} == {phone.shown(server)[0]["tag"]}
    assert phone.shown(server)[-1]["body"] == "New has finished."


@pytest.mark.parametrize("status", [404, 410])
def test_a_device_that_answers_410_is_deleted(status: int) -> None:
    person = reader()
    with receiving(status) as server:
        Browser(endpoint(server)).added(person)
        publish(person)
        assert due_pushes_send() == 1
    assert not PushSubscription.objects.exists()
    assert Notice.objects.filter(person=person).exists()


def test_a_foreign_server_that_hangs_or_redirects_delays_nobody_else(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    """One that hangs, one that answers without end, one that redirects are tried again later; others get theirs."""

    def endless(connection: Any, over: threading.Event) -> None:
        connection.recv(65536)
        while not over.is_set():
            connection.sendall(b"x" * 65536)

    async def quickly(url: str, headers: Any, body: bytes) -> int:
        return await posted(url, headers, body, 0.5)

    posted = web_push.hook_post
    monkeypatch.setattr(web_push, "hook_post", quickly)
    people = [reader() for _ in range(4)]
    with (
        receiving(201) as inner,
        receiving(302, Location=endpoint(inner, "inner")) as leading,
        receiving(201) as good,
        talking(hang) as slow,
        talking(endless) as big,
    ):
        ends = [endpoint(leading), f"http://127.0.0.1:{slow}/", f"http://127.0.0.1:{big}/", endpoint(good)]
        for person, end in zip(people, ends, strict=True):
            Browser(end).added(person)
        publish(*people)
        assert due_pushes_send() == 4
        assert (len(good.received), len(inner.received)) == (1, 0)
        assert sorted(PushSubscription.objects.values_list("tries", flat=True)) == [0, 1, 1, 1]
        settings.HOOKS_ANYWHERE = False  # an address that was allowed, and is checked again where it is connected to
        publish(people[3])
        assert due_pushes_send() == 1
        assert len(good.received) == 1


def test_quiet_hours_delay_messages_until_their_end() -> None:
    person = reader()
    now = datetime.now(UTC)
    with receiving(201) as server:
        phone = Browser(endpoint(server))
        phone.added(person)
        start, end = (now - timedelta(hours=1)).time(), (now + timedelta(hours=1)).time()
        quiet_hours_set(person=person, quiet=Quiet(start, end, "UTC"))
        publish(person)
        assert due_pushes_send() == 0
        assert PushDelivery.objects.get().due_at > now + timedelta(minutes=59)
        quiet_hours_set(person=person, quiet=None)
        later(hours=2)
        assert due_pushes_send() == 1


def test_a_device_gets_twenty_messages_an_hour_and_the_rest_as_one() -> None:
    person = reader()
    with receiving(201) as server:
        phone, desk = Browser(endpoint(server)), Browser(endpoint(server, "desk"))
        device = phone.added(person)
        for number in range(PUSHES_MOST):  # as if each had been sent alone
            notice = Notice.objects.create(person=person, event=uuid4(), kind=FINISHED, data={})
            sent_at = timezone.now() - timedelta(minutes=number)
            PushDelivery.objects.create(subscription=device, notice=notice, due_at=sent_at, sent_at=sent_at)
        desk.added(person)
        for number in range(5):
            publish(person, name=f"Cup {number}")
        assert due_pushes_send() == 1
        assert len(phone.shown(server)) == 0
        waiting = PushDelivery.objects.filter(subscription=device, sent_at=None)
        assert {timedelta(minutes=40) <= one.due_at - timezone.now() <= timedelta(minutes=42) for one in waiting} == {
            True
        }
        later(hours=1)
        assert due_pushes_send() == 1
    assert [message["title"] for message in phone.shown(server)] == ["5 notices from Pecking Order"]


def test_few_devices_of_a_person_are_claimed_and_others_get_a_turn() -> None:
    greedy, modest = reader(), reader()
    for number in range(6):
        Browser(f"https://push.example.org/{number}").added(greedy)
    Browser("https://push.example.org/modest").added(modest)
    publish(greedy)
    publish(modest)
    people = [one.subscription.person_id for one in pushes_claim(most=10)]
    assert sorted(people) == sorted([greedy.pk] * push.SLOTS_OF_ONE + [modest.pk])


def test_an_account_is_deleted_with_its_devices_and_old_notices_with_their_deliveries() -> None:
    person = reader()
    Browser("https://push.example.org/1").added(person)
    publish(person)
    assert PushDelivery.objects.exists()
    account_delete(person=person)
    assert not PushSubscription.objects.exists()
    assert not PushDelivery.objects.exists()


@pytest.mark.parametrize(
    ("contact", "subject"),
    [
        ("https://example.org/contact/", "https://example.org"),
        ("https://example.org:8443", "https://example.org"),
        ("mailto:staff@example.org", "mailto:staff@example.org"),
        ("", "mailto:pecking-order@localhost"),
    ],
)
def test_a_push_service_gets_the_contact_address(settings: Any, contact: str, subject: str) -> None:
    settings.CONTACT_URL = contact
    person = reader()
    with receiving(201) as server:
        Browser(endpoint(server)).added(person)
        publish(person)
        assert due_pushes_send() == 1
    ((_path, headers, _body),) = server.received
    assert claims_of(headers["authorization"], application_server_key())["sub"] == subject
