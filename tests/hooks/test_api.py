"""Webhooks over the API and on pages: one's own, the secret once, and nobody else's."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from arena.accounts.tokens import SCOPES, token_create
from hooks.kinds import hook_kinds_known
from hooks.messages import hook_message_secret_of
from hooks.models import Delivery, Hook
from hooks.services import hook_update
from tests.arena.factories import UserFactory
from tests.arena.openapi import as_described, description
from tests.arena.pages import assert_clean_page
from tests.hooks.factories import delivery_of, hook_of

pytestmark = pytest.mark.django_db
NEW = {"url": "https://example.org/pecking", "kinds": ["version.verdict"]}


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


@pytest.fixture
def hen() -> Any:
    return UserFactory()


class Api:
    """What a person does with a token."""

    def __init__(self, person: Any, *scopes: str) -> None:
        secret = token_create(owner=person, name="t", scopes=scopes or SCOPES)
        self.client = Client(headers={"authorization": f"Token {secret}"})

    def request(self, method: str, path: str, data: Any = None, **headers: str) -> Any:
        kind = {} if method == "get" else {"content_type": "application/json", "data": data}
        answer = getattr(self.client, method)(f"/api/hooks/{path}", headers=headers, **kind)
        return as_described(answer) if answer.status_code != 204 else answer


def test_the_reference_lists_every_kind_and_those_that_are_sent_at_once() -> None:
    text = (Path(__file__).parents[2] / "docs/reference/api.md").read_text(encoding="utf-8")
    table = text.partition("| kind | when | who gets it |")[2].partition("\n\n")[0]
    assert sorted(re.findall(r"^\| `([a-z_.]+)` \|", table, re.MULTILINE)) == list(hook_kinds_known())
    listed = text.partition("Emails are sent at once about ")[2].partition(", unless")[0]
    assert sorted(re.findall(r"`([a-z_.]+)`", listed)) == [
        name for name, kind in hook_kinds_known().items() if kind.email == "now"
    ]


def test_a_hook_is_made_tried_paused_rotated_and_deleted(hen: Any) -> None:
    api = Api(hen)
    made = api.request("post", "", NEW)
    assert made.status_code == 201
    assert made["Cache-Control"] == "no-store"
    number, secret = made.json()["id"], made.json()["secret"]
    assert made["Location"] == f"/api/hooks/{number}/"
    assert secret == hook_message_secret_of(Hook.objects.get().salt)
    assert "secret" not in api.request("get", f"{number}/").json()
    assert secret not in api.request("get", "").content.decode()
    assert secret not in str(Hook.objects.values().get())
    changed = api.request(
        "patch", f"{number}/", {"kinds": ["version.verdict", "match.finished", "version.verdict"]}
    ).json()
    assert (changed["url"], changed["kinds"]) == (NEW["url"], ["match.finished", "version.verdict"])
    tried = api.request("post", f"{number}/test/")
    assert (tried.json()["kind"], tried.json()["state"]) == ("hook.test", "waiting")
    assert api.request("post", f"{number}/rotate/").json()["secret"] != secret
    assert api.request("post", f"{number}/pause/").json()["paused_because"] == "owner"
    assert api.request("post", f"{number}/test/").json()["code"] == "paused"
    assert api.request("post", f"{number}/resume/").json()["is_paused"] is False
    assert api.request("post", f"{number}/resume/").json()["code"] == "not_paused"
    (listed,) = api.request("get", f"{number}/deliveries/").json()["results"]
    assert listed["event"]["type"] == "hook.test"
    assert api.request("post", f"{number}/deliveries/{listed['id']}/send-again/").json()["code"] == "not_again"
    Delivery.objects.update(state="failed", ended_at="2026-01-01T00:00Z", tries=6, problem="timeout")
    again = api.request("post", f"{number}/deliveries/{listed['id']}/send-again/").json()
    assert (again["state"], again["tries"], again["message"]) == ("waiting", 0, listed["message"])
    assert api.request("delete", f"{number}/").status_code == 204
    assert not Hook.objects.exists()


def test_a_secret_is_not_stored_for_an_idempotency_key(hen: Any) -> None:
    """The answer has a secret, so it is not stored; the same request creates another hook."""
    api = Api(hen)
    first, second = (api.request("post", "", NEW, **{"Idempotency-Key": "k"}).json() for _ in range(2))
    assert first["secret"] != second["secret"]


@pytest.mark.parametrize(
    ("sent", "field", "code"),
    [
        ({"url": "https://127.0.0.1/"}, "url", "bad_address"),
        ({"url": "https://169.254.169.254/latest/meta-data/"}, "url", "bad_address"),
        ({"url": "http://example.org/"}, "url", "bad_address"),
        ({"url": "https://[::ffff:127.0.0.1]/"}, "url", "bad_address"),
        ({"url": ""}, "url", "blank"),
        ({"kinds": []}, "kinds", "empty"),
        ({"kinds": ["nonsense"]}, "kinds", "invalid_choice"),
        ({"kinds": ["hook.test"]}, "kinds", "invalid_choice"),
        ({"kinds": "version.verdict"}, "kinds", "not_a_list"),
    ],
)
def test_a_private_address_and_other_nonsense_is_refused(hen: Any, sent: Any, field: str, code: str) -> None:
    api = Api(hen)
    hook = hook_of(hen)
    for answer in (api.request("post", "", NEW | sent), api.request("patch", f"{hook.pk}/", sent)):
        assert answer.status_code == 400
        assert (answer.json()["field"], answer.json()["code"]) == (field, code)
    assert Hook.objects.get().url == hook.url


def test_a_person_has_a_few(hen: Any, settings: Any) -> None:
    settings.HOOKS_MOST = 1
    api = Api(hen)
    assert api.request("post", "", NEW).status_code == 201
    refused = api.request("post", "", NEW)
    assert (refused.status_code, refused.json()["code"]) == (409, "limit")


def test_a_token_needs_the_scope_to_change_and_none_to_read(hen: Any) -> None:
    api = Api(hen, "upload", "organise")
    hook = hook_of(hen)
    assert api.request("get", "").json()["count"] == 1
    for method, path in [
        ("post", ""),
        ("patch", f"{hook.pk}/"),
        ("delete", f"{hook.pk}/"),
        ("post", f"{hook.pk}/rotate/"),
    ]:
        answer = api.request(method, path, NEW)
        assert (answer.status_code, answer.json()["code"]) == (403, "scope")


@pytest.mark.parametrize("who", ["other", "staff"])
def test_another_persons_hook_is_not_there(hen: Any, who: str) -> None:
    hook = hook_of(hen)
    delivery = delivery_of(hook, text="PRIVATE")
    other = UserFactory(is_staff=who == "staff", is_superuser=who == "staff")
    api, client = Api(other), Client()
    client.force_login(other)
    paths = ["", "deliveries/", "rotate/", "pause/", "resume/", "test/", f"deliveries/{delivery.pk}/send-again/"]
    for path in paths:
        for method in ("get", "post", "patch", "delete"):
            answer = api.client.generic(method.upper(), f"/api/hooks/{hook.pk}/{path}")
            assert answer.status_code in (404, 405), (method, path)
    mine = hook_of(other)
    assert api.request("post", f"{mine.pk}/deliveries/{delivery.pk}/send-again/").status_code == 404
    for path in ("", "rotate/", "test/", "pause/", "resume/", "delete/", f"deliveries/{delivery.pk}/send-again/"):
        assert client.post(f"/hooks/{hook.pk}/{path}").status_code == 404
    assert client.get(f"/hooks/{hook.pk}/").status_code == 404
    assert "PRIVATE" not in client.get("/hooks/").content.decode()
    before = hook.salt
    hook.refresh_from_db()
    assert (hook.salt, hook.is_paused) == (before, False)


def test_the_schema_describes_the_messages() -> None:
    post = description()["paths"]["/api/hooks/"]["post"]
    (callback,) = post["callbacks"]["message"].values()
    schema = callback["post"]["requestBody"]["content"]["application/json"]["schema"]
    mapping = description()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]["discriminator"]["mapping"]
    assert set(mapping) == {
        *("hook.test", "version.verdict", "match.finished", "tournament.started", "tournament.round"),
        *("tournament.ruling", "tournament.finished", "announcement.published"),
        *("tournament.entries_open", "tournament.entries_close", "tournament.advanced"),
        *("tournament.version", "league.digest"),
        *("bot.entered", "bot.withdrawn", "tournament.start_missed", "league.cup_missed", "organiser.decided"),
        *("organiser.requested", "hook.paused"),
        *("bot.placed", "bot.version", "league.season", "series.finished"),
        *("bot.benched", "bot.fault", "league.overtaken", "league.moved", "league.paused", "tournament.stopped"),
        *("question.asked", "question.answered", "question.published"),
        *("assignment.due", "assignment.published"),
        *("challenge.received", "challenge.answered", "challenge.finished"),
    }
    assert all(ref.rpartition("/")[2] in description()["components"]["schemas"] for ref in mapping.values())


def test_pages_show_the_secret_once_and_what_was_sent(hen: Any, client: Client) -> None:
    client.force_login(hen)
    page = client.post("/hooks/", NEW)
    assert_clean_page(page)
    assert "no-store" in page["Cache-Control"]
    hook = Hook.objects.get()
    assert hook_message_secret_of(hook.salt) in page.content.decode()
    assert hook_message_secret_of(hook.salt) not in client.get("/hooks/").content.decode()
    delivery_of(hook)
    Delivery.objects.update(state="failed", ended_at="2026-01-01T00:00Z", tries=6, problem="timeout")
    delivery_of(hook)
    Delivery.objects.filter(state="waiting").update(state="delivered", ended_at="2026-01-01T00:00Z", status_code=204)
    page = client.get(f"/hooks/{hook.pk}/")
    assert_clean_page(page)
    shown = page.content.decode()
    assert "no answer in time" in shown
    assert ">204" in shown
    assert hook_message_secret_of(hook.salt) not in shown
    rotated = client.post(f"/hooks/{hook.pk}/rotate/")
    assert_clean_page(rotated)
    hook.refresh_from_db()
    assert hook_message_secret_of(hook.salt) in rotated.content.decode()
    first = Delivery.objects.order_by("pk")[0]
    client.post(f"/hooks/{hook.pk}/deliveries/{first.pk}/send-again/")
    first.refresh_from_db()
    assert first.state == "waiting"
    client.post(f"/hooks/{hook.pk}/test/")
    assert Delivery.objects.filter(kind="hook.test").exists()
    for action, paused in (("pause", True), ("resume", False)):
        client.post(f"/hooks/{hook.pk}/{action}/")
        hook.refresh_from_db()
        assert hook.is_paused == paused
    assert client.post(f"/hooks/{hook.pk}/nonsense/").status_code == 404
    client.post(f"/hooks/{hook.pk}/", {"url": "https://example.org/other", "kinds": ["match.finished"]})
    hook.refresh_from_db()
    assert (hook.url, hook.kinds) == ("https://example.org/other", ["match.finished"])
    response = client.get(f"/hooks/{hook.pk}/delete/")
    assert_clean_page(response)
    assert hook.url in response.content.decode()
    assert Hook.objects.exists()
    assert client.post(f"/hooks/{hook.pk}/delete/").url == "/hooks/"
    assert not Hook.objects.exists()


def test_a_page_shows_the_next_attempt_and_explains_a_pause(hen: Any, client: Client) -> None:
    client.force_login(hen)
    hook = hook_of(hen)
    delivery_of(hook)
    assert "next try on" not in client.get(f"/hooks/{hook.pk}/").content.decode()  # it is sent at once
    Delivery.objects.update(tries=3, due_at="2031-05-03T18:07Z", status_code=500)
    page = client.get(f"/hooks/{hook.pk}/")
    assert_clean_page(page)
    assert re.search(r"next try on .*18:07|next try on .*6:07 p\.m\.", page.content.decode())
    client.post(f"/hooks/{hook.pk}/pause/")
    page = client.get(f"/hooks/{hook.pk}/")
    assert_clean_page(page)
    assert "Messages already waiting go out when you resume." in page.content.decode()
    assert "next try on" not in page.content.decode()


def test_nobody_deletes_the_webhook_of_another(hen: Any, client: Client) -> None:
    hook = hook_of(hen)
    assert client.get(f"/hooks/{hook.pk}/delete/").status_code == 302
    for other in (UserFactory.create(), UserFactory.create(is_staff=True)):
        client.force_login(other)
        for method in (client.get, client.post):
            assert method(f"/hooks/{hook.pk}/delete/").status_code == 404
    assert Hook.objects.exists()


def test_a_change_of_one_field_keeps_concurrent_changes(hen: Any) -> None:
    hook = hook_of(hen, format="json")
    read_before = Hook.objects.get(pk=hook.pk)
    hook_update(hook=hook, url="https://hooks.example.org/y", kinds=["match.finished"])
    hook_update(hook=read_before, about="league/barn")
    hook.refresh_from_db()
    assert (hook.url, hook.kinds, hook.about) == ("https://hooks.example.org/y", ["match.finished"], "league/barn")


def test_a_form_refuses_a_private_address(hen: Any, client: Client) -> None:
    client.force_login(hen)
    page = client.post("/hooks/", NEW | {"url": "https://10.0.0.1/"})
    assert page.status_code == 422
    assert_clean_page(page)
    assert "private network" in page.content.decode()
    assert not Hook.objects.exists()


@pytest.mark.parametrize(
    ("sent", "wrong"),
    [
        ({"url": "ftp://example.org/", "kinds": ["no.kind"]}, ["url", "kinds"]),
        ({"url": "https://127.0.0.1/", "kinds": []}, ["url", "kinds"]),
        ({"url": "https://example.org/", "kinds": ["no.kind", "no.other"]}, ["kinds", "kinds"]),
    ],
)
def test_several_wrong_fields_are_each_reported(sent: Any, wrong: list[str], hen: Any) -> None:
    api = Api(hen)
    number = api.request("post", "", NEW).json()["id"]
    for method, path in (("post", ""), ("patch", f"{number}/")):
        answer = api.request(method, path, sent)
        assert (answer.status_code, [one["field"] for one in answer.json()["errors"]]) == (400, wrong)
    assert Hook.objects.get().url == NEW["url"]


def test_a_form_reports_both_of_two_wrong_fields(hen: Any) -> None:
    client = Client()
    client.force_login(hen)
    page = client.post("/hooks/", {"url": "https://127.0.0.1/", "kinds": ["no.kind"]})
    assert (page.status_code, set(page.context["form"].errors)) == (422, {"url", "kinds"})
    assert page.content.decode().count("errorlist") >= 2
