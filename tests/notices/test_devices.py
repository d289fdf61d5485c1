"""A person's devices: who may add and remove them, what a hostile client sends, and what the pages show."""

import json
from typing import Any, Final

import pytest
from django.contrib import admin
from django.contrib.messages import get_messages
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from arena.settings.environment import environment_vapid_key
from hooks.http_post import BadAddress
from notices.models import NoticeChoice, PushDelivery, PushSubscription
from notices.selectors import Channels, notice_channels_of
from notices.services import notice_channels_set
from notices.web_push import DEVICES_MOST, BadKeys, web_push_browser_of
from tests.arena.factories import UserFactory
from tests.bots.test_permissions import token_of
from tests.notices.push_service import Browser, b64
from tests.notices.test_pages import notice_of, signed_in
from tests.racing import at_once, on_postgres
from tournaments.hook_events import FINISHED

pytestmark = pytest.mark.django_db
ANDROID: Final = "Mozilla/5.0 (Android 16; Mobile; rv:150.0) Gecko/150.0 Firefox/150.0"
AT: Final = "https://push.example.org/{}"


def messages_of(answer: Any) -> list[str]:
    return [str(one) for one in get_messages(answer.wsgi_request)]


def test_a_browser_is_added_chooses_its_kinds_and_is_removed() -> None:
    person = UserFactory()
    client = signed_in(person)
    settings_page = reverse("notices:settings")
    before = client.get(settings_page).content.decode()
    assert "push-device.js" in before
    assert f"push-{FINISHED}" not in before
    answer = client.post(
        reverse("notices:device-add"), Browser(AT.format(1)).subscription, headers={"user-agent": ANDROID}
    )
    assert (answer.status_code, answer["Location"]) == (302, settings_page)
    device = PushSubscription.objects.get()
    page = client.get(settings_page)
    assert f'data-digest="{device.digest}"' in page.content.decode()
    assert "Firefox, Android" in page.content.decode()
    assert device.endpoint not in page.content.decode()
    sent = {f"email-{kind.name}": "never" for kind in page.context["form"].kinds}
    client.post(settings_page, sent | {f"push-{FINISHED}": "on", "quiet-time_zone": "UTC"})
    assert [kind.name for kind, one in notice_channels_of(person) if one.push] == [FINISHED]
    answer = client.post(reverse("notices:device-remove", args=[device.pk]))
    assert answer.status_code == 302
    assert not PushSubscription.objects.exists()
    client.post(settings_page, sent | {"quiet-time_zone": "UTC"})  # without devices the choice is not on the page
    assert [kind.name for kind, one in notice_channels_of(person) if one.push] == [FINISHED]


def test_a_browser_belongs_to_its_last_subscriber_and_gets_nothing_of_the_former() -> None:
    first, second = UserFactory(), UserFactory()
    browser = Browser(AT.format(1))
    device = browser.added(first)
    PushDelivery.objects.create(subscription=device, notice=notice_of(first), due_at="2020-01-01T00:00Z")
    assert browser.added(first).pk == device.pk
    moved = browser.added(second)
    assert [one.person_id for one in PushSubscription.objects.all()] == [second.pk]
    assert moved.pk != device.pk
    assert not PushDelivery.objects.exists()


def test_signing_out_ends_it_on_this_browser_alone() -> None:
    person = UserFactory()
    client, other = signed_in(person), signed_in(person)
    client.post(reverse("notices:device-add"), Browser(AT.format(1)).subscription)
    other.post(reverse("notices:device-add"), Browser(AT.format(2)).subscription)
    client.post(reverse("account_logout"))
    assert [one.endpoint for one in PushSubscription.objects.all()] == [AT.format(2)]
    UserFactory()
    Client().post(reverse("account_logout"))
    assert PushSubscription.objects.exists()


@pytest.mark.parametrize(
    "endpoint",
    [
        *(
            "http://push.example.org/1",
            "https://127.0.0.1/1",
            "https://10.1.2.3/",
            "https://[::1]/",
            "javascript:alert(1)",
        ),
        *("https://user@push.example.org/", "https://metadata.internal/", "", "https://push.example.org/" + "x" * 500),
    ],
)
def test_an_endpoint_that_leads_elsewhere_is_refused(endpoint: str) -> None:
    with pytest.raises(BadAddress):
        Browser(endpoint).added(UserFactory())
    assert not PushSubscription.objects.exists()


def test_keys_that_encrypt_nothing_are_refused() -> None:
    person, browser = UserFactory(), Browser(AT.format(1))
    good = dict(browser.subscription)
    off_the_curve = b64(b"\x04" + b"\x01" * 64)
    compressed = b64(b"\x02" + b"\x01" * 32)
    bad = [("p256dh", one) for one in ("", "x", off_the_curve, compressed, good["p256dh"] + "=", "\N{SNOWMAN}" * 87)]
    bad += [("p256dh", b64(b"\x00" * 65)), ("p256dh", good["p256dh"] + "AAAA"), ("p256dh", good["p256dh"][:-1] + " ")]
    bad += [("auth", one) for one in ("", b64(b"x" * 15), b64(b"x" * 17), "!" * 22)]
    for name, value in bad:
        browser.subscription = good | {name: value}
        with pytest.raises(BadKeys):
            browser.added(person)
    answer = signed_in(person).post(reverse("notices:device-add"), good | {"p256dh": off_the_curve})
    assert messages_of(answer) == [str(BadKeys())]
    assert not PushSubscription.objects.exists()


def test_the_eleventh_device_is_refused_with_the_reason() -> None:
    person = UserFactory()
    for number in range(DEVICES_MOST):
        Browser(AT.format(number)).added(person)
    answer = signed_in(person).post(reverse("notices:device-add"), Browser(AT.format("more")).subscription)
    assert messages_of(answer) == ["You get notices on 10 devices, which is the limit. Remove one first."]
    assert PushSubscription.objects.count() == DEVICES_MOST


@on_postgres
@pytest.mark.django_db(transaction=True)
def test_simultaneous_additions_stay_within_the_limit() -> None:
    person = UserFactory()
    browsers = [Browser(AT.format(number)) for number in range(DEVICES_MOST + 4)]
    at_once(*(lambda one=one: one.added(person) for one in browsers))
    assert PushSubscription.objects.count() == DEVICES_MOST


def test_nobody_sees_or_removes_the_devices_of_somebody_else() -> None:
    person, other, staff = UserFactory(), UserFactory(), UserFactory(is_staff=True)
    device = Browser(AT.format(1)).added(person, ANDROID)
    remove, listed, one = (
        reverse("notices:device-remove", args=[device.pk]),
        reverse("api-notices:devices"),
        reverse("api-notices:device", args=[device.pk]),
    )
    assert "/accounts/login/" in Client().post(remove)["Location"]
    assert "/accounts/login/" in Client().post(reverse("notices:device-add"))["Location"]
    assert Client().get(listed).status_code == Client().delete(one).status_code == 401
    for outsider in (other, staff):
        signed = {"authorization": f"Token {token_of(outsider)}"}
        assert signed_in(outsider).post(remove).status_code == 404
        assert Client().delete(one, headers=signed).status_code == 404
        assert Client().get(listed, headers=signed).json()["results"] == []
    signed = {"authorization": f"Token {token_of(person)}"}
    (row,) = Client().get(listed, headers=signed).json()["results"]
    assert set(row) == {"id", "browser", "created_at"}
    assert (row["id"], row["browser"]) == (device.pk, "Firefox, Android")
    assert signed_in(person).get(remove).status_code == 405
    assert Client().delete(one, headers=signed).status_code == 204
    assert Client().delete(one, headers=signed).status_code == 404


def test_the_api_reads_and_writes_whether_devices_get_a_kind() -> None:
    person = UserFactory()
    notice_channels_set(person=person, channels={FINISHED: Channels(True, "never", push=True)})
    signed, path = {"authorization": f"Token {token_of(person)}"}, reverse("api-notices:channels")

    def patched(**fields: Any) -> bool:
        row = {"kind": FINISHED, "in_inbox": True, "email": "never", **fields}
        answer = Client().patch(path, {"channels": [row]}, content_type="application/json", headers=signed)
        (found,) = [one for one in answer.json()["channels"] if one["kind"] == FINISHED]
        return bool(found["push"])

    assert patched()  # a program of before does not name it
    assert not patched(push=False)
    assert not NoticeChoice.objects.get(person=person).push


def test_a_site_without_a_key_offers_nothing(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.VAPID_PRIVATE_KEY = ""
    person = UserFactory()
    page = signed_in(person).get(reverse("notices:settings")).content.decode()
    assert "push-device" not in page
    assert signed_in(person).post(reverse("notices:device-add"), Browser(AT.format(1)).subscription).status_code == 404
    for key in ("x", "A" * 43, "A" * 42 + "=", "_" * 43):
        monkeypatch.setenv("VAPID_PRIVATE_KEY", key)
        with pytest.raises(SystemExit):
            environment_vapid_key("VAPID_PRIVATE_KEY")


def test_the_worker_is_one_small_file_and_the_site_can_be_put_on_a_home_screen(
    client: Client,
) -> None:
    worker = client.get(reverse("notices:push-worker"))
    assert (worker["Content-Type"], worker["Cache-Control"]) == ("text/javascript", "no-cache")
    assert "worker-src 'self'" in worker["Content-Security-Policy"]
    assert b"/static/notices/bird.png" in worker.content
    assert len(worker.content) < 2000
    app = json.loads(client.get(reverse("notices:web-app")).content)
    assert (app["display"], app["scope"]) == ("standalone", "/")
    assert "push" not in client.get("/").content.decode()


def test_browsers_are_named_by_words_of_ours() -> None:
    edge = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36 Edg/150.0"
    phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) WebKit/605 Version/26.0 Mobile/15E148 Safari/604"
    assert [web_push_browser_of(one) for one in (edge, phone, ANDROID, "<b>", "")] == [
        *("Edge, Windows", "Safari, iPhone", "Firefox, Android", "", "")
    ]
    assert web_push_browser_of("x" * 100_000 + "Firefox/1") == ""


def test_the_database_has_one_row_of_an_endpoint_and_a_tag_with_a_claim() -> None:
    device = Browser(AT.format(1)).added(UserFactory())
    for change in ({"claimed_until_at": "2030-01-01T00:00Z"}, {"tries": 1}):
        with pytest.raises(IntegrityError), transaction.atomic():
            PushSubscription.objects.filter(pk=device.pk).update(**change)
    device.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        device.save()


def test_the_administration_does_not_show_the_address() -> None:
    shown = admin.site._registry[PushSubscription]
    assert not {"endpoint", "p256dh", "auth"} & {*shown.fields, *shown.list_display}  # type: ignore[misc]
