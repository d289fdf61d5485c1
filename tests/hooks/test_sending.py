"""The outbox: each delivery is sent at least once, though processes are killed or slow."""

import json
import re
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.db import transaction

from hooks import sending, services
from hooks.messages import hook_message_secret_of, hook_message_signature
from hooks.models import Delivery, Hook, PausedBecause
from hooks.sending import (
    RETRIES,
    SLOTS_OF_ONE,
    hook_deliveries_claim,
    hook_deliveries_send_due,
    hook_sending_attempt_note,
)
from hooks.services import Event, hook_deliveries_write, hook_resume, hook_secret_rotate
from hooks.tasks import hook_paused_task
from notices.emails import due_notice_emails_send
from tests.arena.factories import UserFactory
from tests.hooks.factories import delivery_of, hook_of, past
from tests.hooks.receivers import is_genuine, receiving, talking
from tests.hooks.test_http_post import hang
from tests.racing import at_once, on_postgres

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _here(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.HOOKS_ANYWHERE = True
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def test_a_delivery_is_sent_once_and_signed() -> None:
    with receiving(200) as server:
        hook = hook_of(url=server.url)
        delivery = delivery_of(hook, bot="rooster", version=1)
        assert hook_deliveries_send_due() == 1
        assert hook_deliveries_send_due() == 0
    ((_path, headers, body),) = server.received
    assert is_genuine(hook_message_secret_of(hook.salt), headers, body)
    assert headers["webhook-id"] == str(delivery) == f"msg_{delivery.event.hex}"
    message = json.loads(body)
    assert (message["type"], message["data"]) == ("version.verdict", {"bot": "rooster", "version": 1})
    delivery.refresh_from_db()
    assert (delivery.state, delivery.status_code, delivery.tries) == ("delivered", 200, 1)


@pytest.mark.parametrize("forged", ["body", "webhook-id", "webhook-timestamp", "secret"])
def test_a_forged_or_replayed_message_is_not_genuine(forged: str) -> None:
    with receiving() as server:
        hook = hook_of(url=server.url)
        delivery_of(hook)
        hook_deliveries_send_due()
    ((_path, headers, body),) = server.received
    secret = hook_message_secret_of(hook.salt)
    if forged == "body":
        body += b" "
    elif forged == "secret":
        secret = hook_message_secret_of(hook_of().salt)
    else:
        headers[forged] += "1"
    assert not is_genuine(secret, headers, body)


def test_the_code_on_the_page_of_the_api_verifies_signatures() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "api.md").read_text()
    (sample,) = re.findall(r"```python\n(import base64.*?)```", page, re.DOTALL)
    namespace: dict[str, Any] = {}
    exec(sample, namespace)
    with receiving() as server:
        hook = hook_of(url=server.url)
        delivery_of(hook)
        hook_deliveries_send_due()
    ((_path, headers, body),) = server.received
    assert namespace["is_genuine"](hook_message_secret_of(hook.salt), headers, body)
    assert not namespace["is_genuine"](hook_message_secret_of(hook.salt), headers, body + b" ")
    stale = headers | {"webhook-timestamp": "1614265330"}
    stale["webhook-signature"] = hook_message_signature(
        hook_message_secret_of(hook.salt), headers["webhook-id"], 1614265330, body
    )
    assert is_genuine(hook_message_secret_of(hook.salt), stale, body)
    assert not namespace["is_genuine"](hook_message_secret_of(hook.salt), stale, body)  # replayed later


def test_for_a_day_after_a_rotation_messages_hold_for_both_secrets() -> None:
    with receiving() as server:
        hook = hook_of(url=server.url)
        old = hook_message_secret_of(hook.salt)
        hook = hook_secret_rotate(hook=hook)
        delivery_of(hook)
        hook_deliveries_send_due()
        Hook.objects.update(old_salt_until_at="2020-01-01T00:00Z")
        delivery_of(hook)
        hook_deliveries_send_due()
    (_path, headers, body), (_path, later, later_body) = server.received
    assert old != hook_message_secret_of(hook.salt)
    assert is_genuine(old, headers, body)
    assert is_genuine(hook_message_secret_of(hook.salt), headers, body)
    assert not is_genuine(old, later, later_body)
    services.hook_deliveries_drop()
    hook.refresh_from_db()
    assert (hook.old_salt, hook.old_salt_until_at) == ("", None)


def test_a_delivery_of_a_process_killed_before_recording_is_sent_again() -> None:
    with receiving() as server:
        delivery = delivery_of(hook_of(url=server.url))
        (killed,) = hook_deliveries_claim(most=10)
        assert hook_deliveries_claim(most=10) == []
        past(delivery)
        assert hook_deliveries_send_due() == 1
        assert not hook_sending_attempt_note(claimed=killed, status=500, problem="")  # it was slow, not dead
    assert len(server.received) == 1
    delivery.refresh_from_db()
    assert (delivery.state, delivery.claims, delivery.tries) == ("delivered", 2, 1)


def test_the_same_message_has_the_same_id_and_text_each_time() -> None:
    with receiving(500) as server:
        delivery = delivery_of(hook_of(url=server.url))
        for _ in range(2):
            hook_deliveries_send_due()
            past(delivery)
    (_path, first, body), (_path, second, again) = server.received
    assert (first["webhook-id"], body) == (second["webhook-id"], again)


def test_after_five_retries_it_is_paused_and_its_owner_is_notified() -> None:
    with receiving(500) as server:
        hook = hook_of(url=server.url)
        delivery = delivery_of(hook)
        waits = []
        for _ in range(20):
            if not hook_deliveries_send_due():
                break
            delivery.refresh_from_db()
            waits.append(delivery.due_at)
            past(delivery)
    assert len(server.received) == 1 + len(RETRIES) == 6
    hook.refresh_from_db()
    delivery.refresh_from_db()
    assert (delivery.state, delivery.status_code, delivery.tries) == ("failed", 500, 6)
    assert hook.paused_because == PausedBecause.FAILING
    assert hook_deliveries_write(events=[Event("version.verdict", [hook.owner_id], {})]) == 0
    hook_paused_task(hook.pk)  # of the release before; nobody is told twice
    assert due_notice_emails_send() == 1
    (email,) = mail.outbox
    assert email.to == [hook.owner.email]
    assert "127.0.0.1" in email.subject
    assert f"http://testserver/hooks/{hook.pk}/" in email.body
    hook_resume(hook=hook)
    hook_paused_task(hook.pk)
    assert due_notice_emails_send() == 0


def test_each_retry_waits_longer() -> None:
    hook = hook_of(url="http://127.0.0.1:1/")
    delivery = delivery_of(hook)
    pauses = []
    for _ in RETRIES:
        hook_deliveries_send_due()
        before = Delivery.objects.values_list("due_at", "created_at").get(pk=delivery.pk)
        pauses.append((before[0] - before[1]).total_seconds())
        past(delivery)
    assert pauses == sorted(pauses)
    assert pauses[0] == pytest.approx(60, abs=30)
    assert pauses[-1] == pytest.approx(8 * 3600, abs=30)
    assert Delivery.objects.get().problem == "connection"


def test_a_server_that_answers_410_is_requested_once() -> None:
    with receiving(410) as server:
        hook = hook_of(url=server.url)
        delivery_of(hook)
        hook_deliveries_send_due()
    hook.refresh_from_db()
    assert hook.paused_because == PausedBecause.GONE
    assert Delivery.objects.get().state == "failed"


def test_deliveries_of_a_paused_hook_are_sent_when_it_is_resumed() -> None:
    with receiving() as server:
        hook = hook_of(url=server.url)
        delivery_of(hook)
        services.hook_pause(hook_id=hook.pk)
        assert hook_deliveries_send_due() == 0
        hook_resume(hook=hook)
        assert hook_deliveries_send_due() == 1


def test_a_fault_of_ours_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def breaks(*_: Any) -> int:
        raise LookupError

    monkeypatch.setattr(sending, "hook_post", breaks)
    delivery_of(hook_of())
    assert hook_deliveries_send_due() == 1
    assert (Delivery.objects.get().state, Delivery.objects.get().problem) == ("waiting", "ours")


def test_receivers_that_hang_hold_up_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """A person with many messages for a server that hangs has a few under way; the others are answered meanwhile."""
    order: list[int] = []
    note = sending.hook_sending_attempt_note

    def noted(*, claimed: Any, **fields: Any) -> bool:
        order.append(claimed.delivery.hook_id)
        return note(claimed=claimed, **fields)

    monkeypatch.setattr(sending, "hook_sending_attempt_note", noted)

    async def quickly(*given: Any) -> int:
        return await sending_post(*given, 1.0)

    sending_post = sending.hook_post
    monkeypatch.setattr(sending, "hook_post", quickly)
    with talking(hang) as port, receiving() as server:
        slow = hook_of(url=f"http://127.0.0.1:{port}/")
        for _ in range(2 * SLOTS_OF_ONE):
            delivery_of(slow)
        good = hook_of(url=server.url)
        for _ in range(3):
            delivery_of(good)
        assert hook_deliveries_send_due(on_for=0.5) == SLOTS_OF_ONE + 3
    assert order[:3] == [good.pk] * 3
    assert set(Delivery.objects.filter(hook=slow, tries=1).values_list("problem", flat=True)) == {"timeout"}


def test_few_deliveries_of_a_person_are_claimed_and_everybody_gets_a_turn() -> None:
    greedy, modest = UserFactory(), UserFactory()
    hook = hook_of(greedy)
    for _ in range(2 * SLOTS_OF_ONE):
        delivery_of(hook)
    delivery_of(hook_of(modest))
    claimed = hook_deliveries_claim(most=3)
    assert {one.delivery.hook.owner_id for one in claimed} == {greedy.pk, modest.pk}
    assert len(hook_deliveries_claim(most=100)) == SLOTS_OF_ONE + 1 - len(claimed)
    assert hook_deliveries_claim(most=100) == []


def test_a_rolled_back_event_is_not_sent() -> None:
    with transaction.atomic():
        delivery_of(hook_of())
        transaction.set_rollback(True)
    assert not Delivery.objects.exists()


def test_an_event_is_sent_only_to_hooks_that_chose_it(settings: Any) -> None:
    owner, other = UserFactory(), UserFactory()
    hook_of(owner, kinds=["match.finished"])
    chosen = hook_of(owner, kinds=["version.verdict"])
    hook_of(other)
    hook_of(owner, paused_because="owner", paused_at="2020-01-01T00:00Z")
    hook_deliveries_write(events=[Event("version.verdict", [owner.pk], {})])
    assert [one.hook for one in Delivery.objects.all()] == [chosen]
    type(owner).objects.filter(pk=owner.pk).update(is_active=False)
    assert hook_deliveries_claim(most=9) == []
    assert hook_deliveries_write(events=[Event("version.verdict", [owner.pk], {})]) == 0


def test_messages_above_the_daily_limit_are_dropped_and_reported(settings: Any) -> None:
    settings.HOOK_DELIVERIES_MOST = 2
    hook = hook_of()
    for number in range(3):
        assert hook_deliveries_write(events=[Event("version.verdict", [hook.owner_id], {})]) == (number < 2)
    hook.refresh_from_db()
    assert hook.left_out_at is not None


def test_old_deliveries_are_dropped(settings: Any) -> None:
    hook = hook_of()
    old, new = delivery_of(hook), delivery_of(hook)
    Delivery.objects.filter(pk=old.pk).update(created_at="2020-01-01T00:00Z")
    assert services.hook_deliveries_drop() == 1
    assert Delivery.objects.get() == new


def test_many_are_sent_at_once() -> None:
    with ExitStack() as stack:
        servers = [stack.enter_context(receiving()) for _ in range(8)]
        for server in servers:
            delivery_of(hook_of(url=server.url))
        assert hook_deliveries_send_due() == 8
    assert all(len(server.received) == 1 for server in servers)


@on_postgres
@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_each_delivery_is_claimed_by_one_of_simultaneous_processes() -> None:
    for _ in range(6):
        hook = hook_of()
        for _ in range(3):
            with transaction.atomic():
                delivery_of(hook)
    claimed = [one.delivery.pk for some in at_once(lambda _: hook_deliveries_claim(most=50), 4) for one in some]
    assert sorted(claimed) == sorted(set(claimed))
    claimed += [one.delivery.pk for one in hook_deliveries_claim(most=50)]
    assert sorted(claimed) == sorted(Delivery.objects.values_list("pk", flat=True))
