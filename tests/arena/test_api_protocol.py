"""What every answer of the API has in common: scopes of tokens, ETags, limits, other sites, where something new is."""

import socket
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from arena.accounts.models import AccessToken
from arena.accounts.tokens import token_create
from bots.models import Bot, BotVersion
from tests.arena.factories import UserFactory
from tests.arena.openapi import as_described, description
from tests.bots.factories import SOURCE, BotFactory
from tests.leagues.factories import open_league
from tests.tournaments.factories import EntryFactory, TournamentFactory, bot_of

pytestmark = pytest.mark.django_db
HEN = {"name": "Hen", "game": "pickomino"}


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def bearer(owner: Any, *scopes: str, **more: str) -> dict[str, str]:
    return {"authorization": f"Token {token_create(owner=owner, name='test', scopes=scopes)}", **more}


def create(headers: dict[str, str], body: Any = HEN) -> Any:
    return Client().post("/api/bots/", body, content_type="application/json", headers=headers)


def test_every_operation_that_writes_says_what_its_token_needs() -> None:
    uploads = set()
    for path, methods in description()["paths"].items():
        of_bots = path.startswith(("/api/bots/", "/api/sparring/"))
        as_member = path.startswith("/api/teams/") or path in ("/api/groups/join/", "/api/groups/{slug}/leave/")
        is_question = path in (
            "/api/announcements/{subject}/{slug}/questions/",
            "/api/announcements/questions/{question_id}/",
        )
        for method, operation in methods.items():
            assert ("x-token-scope" in operation) == (method != "get"), path
            if operation.get("x-token-scope") == "upload":
                uploads.add(path.split("/")[2])
                is_of_mine = path.split("/")[4:5] in (["entries"], ["members"], ["luck"], ["hand-in"], ["answer"])
                assert of_bots or as_member or is_question or is_of_mine, path
            else:
                orders = operation.get("x-token-scope") == "read"  # a file: that changes nothing
                assert not of_bots or method == "get" or orders, path
    assert uploads == {
        "announcements",
        "assignments",
        "bots",
        "groups",
        "leagues",
        "puzzles",
        "sparring",
        "teams",
        "tournaments",
    }


def test_a_token_without_the_scope_writes_nothing_and_the_error_names_it() -> None:
    person = UserFactory(is_organiser=True)
    cup = TournamentFactory(organiser=person, state="draft")
    for scopes, created, opened in (((), 403, 403), (("upload",), 201, 403), (("organise",), 403, 200)):
        headers = bearer(person, *scopes)
        assert Client().get("/api/me/", headers=headers).json()["scopes"] == ["read", *scopes]
        refused = [create(headers, {**HEN, "name": f"Hen {len(scopes)}"})]
        assert refused[0].status_code == created
        refused.append(Client().post(f"/api/tournaments/{cup.slug}/open/", headers=headers))
        assert refused[1].status_code == opened
        for answer in refused:
            assert answer.status_code != 403 or as_described(answer).json()["code"] == "scope"


def test_a_token_that_uploads_touches_no_bot_of_others() -> None:
    """An organiser may withdraw any bot; a token of theirs that leaked from an upload script may not."""
    organiser = UserFactory(is_organiser=True)
    cup, league = TournamentFactory(organiser=organiser), open_league(bots=1, organiser=organiser)
    entry, member = EntryFactory(tournament=cup), league.memberships.get()
    house = bot_of(UserFactory(), is_house=True, slug="house")
    for scopes, status in ((("upload",), 403), (("upload", "organise"), 200)):
        headers = bearer(organiser, *scopes)
        entered = Client().post(
            f"/api/tournaments/{cup.slug}/entries/",
            {"bot": house.slug},
            content_type="application/json",
            headers=headers,
        )
        assert entered.status_code == (201 if status == 200 else 403)
        for at in (
            f"tournaments/{cup.slug}/entries/{entry.bot.slug}",
            f"leagues/{league.slug}/members/{member.bot.slug}",
        ):
            left = Client().delete(f"/api/{at}/?reason=No.", headers=headers)
            assert left.status_code == status, (at, scopes)


def test_a_token_from_before_there_were_scopes_may_what_it_did() -> None:
    _token, secret = AccessToken.objects.create(UserFactory())
    answer = Client().get("/api/me/", headers={"authorization": f"Token {secret}"})
    assert answer.json()["scopes"] == ["read", "upload", "organise"]


def test_the_page_makes_a_token_that_may_what_was_ticked(client: Client) -> None:
    client.force_login(UserFactory())
    for ticked in ([], ["upload"], ["upload", "organise"]):
        client.post("/accounts/tokens/", {"name": "laptop", "scopes": ticked})
        assert AccessToken.objects.latest("created").scopes == ["read", *ticked]
    assert client.post("/accounts/tokens/", {"name": "laptop", "scopes": ["admin"]}).context["secret"] == ""


@pytest.mark.parametrize("value", ["Token nonsense", "Token", "Token a b", "Token peck_" + "0" * 64, "Token \xff"])
def test_a_wrong_token_is_refused_for_reading_too(value: str) -> None:
    answer = as_described(Client().get("/api/games/", headers={"authorization": value}))
    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Token")


def test_an_expired_token_is_refused() -> None:
    headers = bearer(UserFactory())
    AccessToken.objects.update(expiry=timezone.now() - timedelta(seconds=1))
    assert Client().get("/api/me/", headers=headers).status_code == 401


def test_an_unchanged_answer_is_a_304() -> None:
    bot = BotFactory()
    for at in ("/api/games/", f"/api/bots/{bot.slug}/", "/api/matches/"):
        first = Client().get(at)
        again = Client().get(at, headers={"if-none-match": first["ETag"]})
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    Bot.objects.update(blurb="Another line.")
    changed = Client().get(f"/api/bots/{bot.slug}/", headers={"if-none-match": first["ETag"]})
    assert (changed.status_code, changed.json()["blurb"]) == (200, "Another line.")


def test_an_answer_is_cached_for_nobody_else() -> None:
    mine = Client().get("/api/bots/", headers=bearer(UserFactory()))
    assert mine["Cache-Control"] == "private, no-cache"
    assert "authorization" in mine["Vary"].lower()
    assert Client().get("/api/games/")["Cache-Control"] == "no-cache"


def test_a_new_object_has_its_location() -> None:
    author = UserFactory()
    headers, cup, league = bearer(author, "upload"), TournamentFactory(), open_league()
    assert create(headers)["Location"] == "/api/bots/hen/"
    upload = {"file": SimpleUploadedFile("bot.py", SOURCE)}
    assert Client().post("/api/bots/hen/versions/", upload, headers=headers)["Location"] == "/api/bots/hen/versions/1/"
    bot = bot_of(author, slug="cock")
    for at in (f"tournaments/{cup.slug}/entries", f"leagues/{league.slug}/members"):
        joined = Client().post(f"/api/{at}/", {"bot": bot.slug}, content_type="application/json", headers=headers)
        assert (joined.status_code, joined["Location"]) == (201, f"/api/{at}/cock/")
        assert Client().get(joined["Location"]).status_code == 200


def test_a_limit_has_its_remainder_and_reset_time() -> None:
    headers = bearer(UserFactory(), "upload")
    for number in range(60):
        answer = create(headers, {**HEN, "name": f"Hen {number}"})
        assert answer["RateLimit-Policy"] == '"upload";q=60;w=3600'
        assert answer["RateLimit"].startswith(f'"upload";r={59 - number};t=3')
    refused = as_described(create(headers, {**HEN, "name": "One more"}))
    assert (refused.status_code, refused["RateLimit"].partition(";t=")[0]) == (429, '"upload";r=0')
    assert 3500 < int(refused["Retry-After"]) <= 3600
    assert "RateLimit" not in Client().get("/api/games/")


def test_scripts_of_other_sites_read_what_everyone_may_and_nothing_else() -> None:
    origin = {"origin": "https://elsewhere.example"}
    assert Client().get("/api/games/", headers=origin)["Access-Control-Allow-Origin"] == "*"
    assert Client().get("/api/games/nowhere/", headers=origin)["Access-Control-Allow-Origin"] == "*"
    person = UserFactory()
    for answer in (
        Client().get("/api/me/", headers=bearer(person, **origin)),
        create({**origin}),
        create(bearer(person, "upload", **origin)),
        Client().get("/", headers=origin),
    ):
        assert "Access-Control-Allow-Origin" not in answer
        assert "Access-Control-Allow-Credentials" not in answer
    data = {**origin, "access-control-request-method": "GET", "access-control-request-headers": "authorization"}
    preflight = Client().options("/api/me/", headers=data)
    assert (preflight.status_code, preflight["Access-Control-Allow-Methods"]) == (204, "GET, HEAD")
    assert "authorization" not in preflight["Access-Control-Allow-Headers"].lower()
    data["access-control-request-method"] = "POST"
    for at in ("/api/bots/", "/api/matches/"):
        assert not [name for name in Client().options(at, headers=data).headers if name.startswith("Access-Control")]


def test_a_body_that_is_too_large_is_refused_before_it_is_read() -> None:
    headers = bearer(UserFactory(), "upload")
    refused = as_described(create(headers, {**HEN, "blurb": "x" * 70_000}))
    assert (refused.status_code, refused.json()["code"]) == (413, "too_large")
    assert not Bot.objects.exists()


def test_an_upload_whose_connection_breaks_leaves_nothing(live_server: Any) -> None:
    author = UserFactory()
    BotFactory(owner=author, slug="hen")
    secret = token_create(owner=author, name="test")
    host, port = live_server.url.removeprefix("http://").split(":")
    head = f"POST /api/bots/hen/versions/ HTTP/1.1\r\nHost: {host}\r\nAuthorization: Token {secret}\r\n"
    head += "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n"
    part = '--b\r\nContent-Disposition: form-data; name="file"; filename="bot.py"\r\n\r\ndef act(view):\n'
    with socket.create_connection((host, int(port)), timeout=10) as broken:
        broken.sendall((head + part).encode())
        broken.shutdown(socket.SHUT_WR)
        answer = broken.recv(1000)
    assert b" 201 " not in answer
    assert b" 500 " not in answer
    assert not BotVersion.objects.exists()
