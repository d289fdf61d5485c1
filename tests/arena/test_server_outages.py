"""Every page and every operation of the API while the cache, the broker or the database is away: no 500 anywhere."""

from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from time import monotonic
from typing import Any, Final

import pytest
from celery import current_app
from django.core.cache import caches
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from arena.caches import CacheAway
from bots.checks import version_checks_wake
from bots.models import BotVersion, VersionState
from tests.arena.factories import PASSWORD, UserFactory
from tests.arena.outages import broker_away, cache_away, database_away, real_cache
from tests.arena.pages import assert_clean_page
from tests.arena.test_every_address import NAMES, address, visit, whole_site
from tests.bots.factories import SOURCE, BotFactory
from tests.bots.test_permissions import token_of

AWAY: Final[Mapping[str, tuple[Any, ...]]] = {
    "nothing": (),
    "cache": (cache_away,),
    "broker": (broker_away,),
    "cache and broker": (cache_away, broker_away),
    "database": (database_away,),
}
# Whatever these do is counted, so that nobody guesses: without the cache they wait, by a POST.
COUNTED: Final = {
    "account_login",
    "account_signup",
    "account_reset_password",
    "account_reset_password_from_key",
    "account_change_password",
    "account_email",
    "account_reauthenticate",
    "account_set_password",
    "openid_connect_login",
    "openid_connect_callback",
    "mfa_authenticate",
    "mfa_reauthenticate",
    "mfa_activate_totp",
    "mfa_reauthenticate_webauthn",
}
# Each day both at once, as an organiser meets it; the other walks come to the same and take a minute.
WALKS: Final = [
    pytest.param(
        away,
        visitor,
        marks=pytest.mark.processes if (away, visitor) == ("cache and broker", "organiser") else pytest.mark.slow,
    )
    for away in ("cache", "broker", "cache and broker")
    for visitor in ("stranger", "author", "organiser", "staff")
]


@pytest.fixture
def site() -> dict[str, Any]:
    return whole_site()


def answers_while(away: str, method: str, visitor: str, site: dict[str, Any]) -> dict[str, int]:
    """The status of every address, by its name."""
    clients = {name: visit(visitor, site) for name in NAMES}  # one each: one of the addresses signs out
    begin = monotonic()
    with ExitStack() as stack:
        for outage in AWAY[away]:
            stack.enter_context(outage())
        found = {name: getattr(clients[name], method)(address(name, site)).status_code for name in NAMES}
    print(f"{away} away, {method} as {visitor}: {dict(Counter(found.values()))} in {monotonic() - begin:.1f} s")
    return found


@pytest.mark.django_db
@pytest.mark.parametrize(("away", "visitor"), WALKS)
def test_every_page_and_every_reading_goes_on_without_cache_and_broker(
    away: str, visitor: str, site: dict[str, Any]
) -> None:
    usual = answers_while("nothing", "get", visitor, site)
    assert answers_while(away, "get", visitor, site) == usual
    assert 500 not in usual.values()


@pytest.mark.django_db
@pytest.mark.parametrize(("away", "visitor"), WALKS)
def test_an_empty_form_posted_anywhere_is_answered_without_cache_and_broker(
    away: str, visitor: str, site: dict[str, Any]
) -> None:
    found = answers_while(away, "post", visitor, site)
    assert {status for status in found.values() if status >= 500} <= {503}
    assert {name for name, status in found.items() if status == 503} <= (COUNTED if "cache" in away else set())


@pytest.mark.django_db
@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("visitor", ["organiser", pytest.param("stranger", marks=pytest.mark.slow)])
def test_without_the_database_whatever_needs_it_is_503(method: str, visitor: str, site: dict[str, Any]) -> None:
    found = answers_while("database", method, visitor, site)
    assert {status for status in found.values() if status >= 500} == {503}
    assert found["peck"] == (200 if method == "get" else 405)
    assert found["api-tournaments:list"] == (503 if method == "get" else 401)


@pytest.mark.django_db
def test_signing_in_without_the_cache_is_refused_in_plain_words_and_nobody_gets_past(client: Client) -> None:
    UserFactory(username="henrietta")
    with cache_away():
        page = client.post(reverse("account_login"), {"login": "henrietta", "password": PASSWORD})
    assert page.status_code == 503
    assert page.headers["Retry-After"]
    assert page.headers["Cache-Control"] == "no-store"
    assert_clean_page(page)
    assert "Sign-in is briefly unavailable." in page.content.decode()
    assert "_auth_user_id" not in client.session


@pytest.mark.django_db
def test_without_the_database_pages_and_api_say_so_in_their_own_ways() -> None:
    client = Client(raise_request_exception=False)
    with database_away():
        page, response = client.get("/tournaments/"), client.get("/api/tournaments/")
        nowhere = client.get("/nowhere/", headers={"cookie": "sessionid=x"})
    assert_clean_page(page)
    assert "try again in a minute" in page.content.decode()
    assert (response.status_code, response.json()["code"], response.headers["Retry-After"]) == (
        503,
        "unavailable",
        "10",
    )
    assert nowhere.status_code == 503  # the page for what is not there looks up who asks


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("away", ["cache", "broker", "cache and broker"])
def test_uploads_are_stored_and_checked_later(away: str, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = BotFactory.create()
    client.force_login(bot.owner)
    headers = {"authorization": f"Token {token_of(bot.owner)}"}
    with ExitStack() as stack:
        for outage in AWAY[away]:
            stack.enter_context(outage())
        begin = monotonic()
        page = client.post(reverse("bots:upload", args=[bot.slug]), {"file": a_file(SOURCE)})
        answer = client.post(
            reverse("api:versions", args=[bot.slug]), {"file": a_file(SOURCE + b"# 2\n")}, headers=headers
        )
        took = monotonic() - begin
    assert (page.status_code, answer.status_code) == (302, 201)
    assert took < 10
    assert list(BotVersion.objects.values_list("state", flat=True)) == [VersionState.QUEUED] * 2
    sent: list[Any] = []
    monkeypatch.setattr(current_app, "send_task", lambda *task, **_: sent.append(task))
    assert version_checks_wake() == 1  # of one author one version is checked at a time
    assert sent == [("matches.qualify_version",)]


def test_a_cache_that_comes_back_is_used_again_after_its_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    with real_cache() as broker:
        caches["optional"].set("egg", "laid")
        broker.stop()
        assert caches["optional"].get("egg", "none") == "none"
        assert caches["optional"].get_many(["egg"]) == {}
        caches["optional"].set("egg", "lost")
        with pytest.raises(CacheAway):
            caches["default"].get("egg")
        broker.start()
        with pytest.raises(CacheAway):
            caches["default"].get("egg")  # it rests still
        monkeypatch.setattr("arena.caches.REST_SECONDS", 0.0)
        monkeypatch.setattr("arena.caches._rests_until", {})
        caches["default"].set("egg", "new")
        caches["optional"].set("egg", "newer")
        assert (caches["default"].get("egg"), caches["optional"].get("egg")) == ("new", "newer")
        # What another release keeps are objects of other classes.
        monkeypatch.setattr("arena.caches.caches_release_digest", lambda: "another")
        assert caches["optional"].get("egg") is None


@pytest.mark.django_db
def test_a_page_waits_once_for_a_cache_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    with cache_away():
        counts = Counter[str]()
        client = caches["optional"]._cache._client  # type: ignore[attr-defined]
        original = client.get
        monkeypatch.setattr(client, "get", lambda *given: counts.update(["get"]) or original(*given))
        assert [caches["optional"].get("egg") for _ in range(10)] == [None] * 10
    assert counts["get"] == 1


def a_file(source: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile("bot.py", source)
