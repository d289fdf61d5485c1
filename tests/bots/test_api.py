"""The API for authors: what it answers when things go well, and the shape of every no."""

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from rest_framework.throttling import ScopedRateThrottle

from bots import services, source_check
from bots.models import Bot, BotVersion
from bots.verdicts import EXPLANATIONS
from tests.arena.openapi import MEMBERS, as_described
from tests.bots.factories import SOURCE, BotFactory, BotVersionFactory
from tests.bots.test_permissions import token_of
from tests.matches.factories import BRISK, CRASHES, FinishedMatchFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def bot() -> Bot:
    cache.clear()
    return BotFactory.create()


@pytest.fixture
def call(bot: Bot, client: Client) -> Callable[..., Any]:
    """Call as the bot's owner: ``call("post", "versions", bot.slug, data)``."""
    headers = {"authorization": f"Token {token_of(bot.owner)}"}

    def send(method: str, name: str, *args: Any, data: Any = None, **extra: Any) -> Any:
        url = reverse(f"api:{name}", args=args)
        answer = getattr(client, method)(url, data, headers=headers, **extra)
        return as_described(answer) if method == "get" else answer

    return send


def a_file(content: bytes = SOURCE, name: str = "bot.py") -> dict[str, SimpleUploadedFile]:
    return {"file": SimpleUploadedFile(name, content)}


def refusal(response: Any) -> tuple[int, str, str]:
    answer = response.json()
    assert set(answer) == MEMBERS
    assert answer["detail"]
    return response.status_code, answer["code"], answer["field"]


def test_a_token_wears_its_prefix(bot: Bot) -> None:
    assert token_of(bot.owner).startswith("peck_")


def test_my_bots_are_mine(bot: Bot, call: Callable[..., Any]) -> None:
    BotFactory.create()
    current = BotVersionFactory.create(bot=bot)
    (mine,) = call("get", "bots").json()["results"]
    assert (mine["slug"], mine["game"], mine["current"]) == (bot.slug, "pickomino", current.number)


def test_a_bot_is_created_and_its_file_follows(bot: Bot, call: Callable[..., Any]) -> None:
    created = call("post", "bots", data={"name": "Rooster", "game": "pickomino"}, content_type="application/json")
    assert (created.status_code, created.json()["slug"]) == (201, "rooster")
    uploaded = call("post", "versions", "rooster", data=a_file())
    assert (uploaded.status_code, uploaded.json()["number"], uploaded.json()["state"]) == (201, 1, "queued")
    assert uploaded.json()["url"] == "http://testserver/api/bots/rooster/versions/1/"
    assert uploaded.json()["page"] == "http://testserver/bots/rooster/versions/1/"


def test_the_same_file_again_is_the_version_it_was(bot: Bot, call: Callable[..., Any]) -> None:
    first, again = (call("post", "versions", bot.slug, data=a_file()) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json()["number"] == again.json()["number"] == 1


def test_an_earlier_file_becomes_current_on_request_only(bot: Bot, call: Callable[..., Any]) -> None:
    call("post", "versions", bot.slug, data=a_file())
    BotVersion.objects.update(state="accepted", checked_at=timezone.now())
    BotVersionFactory.create(bot=bot)
    again = call("post", "versions", bot.slug, data=a_file())
    assert (again.status_code, again.json()["number"], again.json()["is_current"]) == (200, 1, False)
    assert Bot.objects.get(pk=bot.pk).current.number == 2
    assert call("post", "make-current", bot.slug, 1).json()["is_current"] is True


def test_the_verdict_is_read_with_its_report(bot: Bot, call: Callable[..., Any]) -> None:
    version = BotVersionFactory.create(bot=bot, refused=True, report={"verdict": "crashed", "line": 3})
    answer = call("get", "version", bot.slug, version.number).json()
    assert (answer["state"], answer["report"]["verdict"], answer["is_current"]) == ("refused", "crashed", False)


def test_the_way_back(bot: Bot, call: Callable[..., Any]) -> None:
    old, _new = BotVersionFactory.create(bot=bot), BotVersionFactory.create(bot=bot)
    assert call("post", "make-current", bot.slug, old.number).json()["is_current"] is True
    refused = BotVersionFactory.create(bot=bot, refused=True)
    assert refusal(call("post", "make-current", bot.slug, refused.number)) == (409, "not_accepted", "")
    assert Bot.objects.get().current == old


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({}, (400, "required", "file")),
        ({"file": "text"}, (400, "invalid", "file")),
        (a_file(b""), (400, "empty", "file")),
        (a_file(b"def act(:"), (400, "syntax_error", "file")),
        (a_file(b"x = 1"), (400, "no_entry_point", "file")),
        (a_file(b"\0\1\2"), (400, "not_text", "file")),
        (a_file(b"hello", "bot.zip"), (400, "not_a_zip", "file")),
        (a_file(b"#" * 1_500_000), (413, "too_large", "file")),
        (a_file(b"#" * 5_000_000), (413, "too_large", "file")),
    ],
)
def test_a_bad_upload_is_answered_with_a_reason(
    data: dict[str, Any], expected: tuple[int, str, str], bot: Bot, call: Callable[..., Any]
) -> None:
    for file in data.values():
        if not isinstance(file, str):
            file.seek(0)
    assert refusal(call("post", "versions", bot.slug, data=data)) == expected
    assert not BotVersion.objects.exists()


def test_an_upload_on_a_busy_site_gets_a_retry_after(
    bot: Bot, call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_check, "PATIENCE", 0.01)
    with source_check._turns.take(bot.owner_id):
        response = call("post", "versions", bot.slug, data=a_file())
    assert refusal(response) == (503, "busy", "file")
    assert response["Retry-After"] == "10"
    assert not BotVersion.objects.exists()
    assert call("post", "versions", bot.slug, data=a_file()).status_code == 201


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({}, (400, "required", "name")),
        ({"name": "x" * 41, "game": "pickomino"}, (400, "max_length", "name")),
        ({"name": "a\u202eb", "game": "pickomino"}, (400, "not_printable", "name")),
        ({"name": "a", "game": "poker"}, (400, "invalid_choice", "game")),
        ({"name": ["a"], "game": {}}, (400, "invalid", "name")),
    ],
)
def test_a_bad_bot_is_answered_with_a_reason(
    data: dict[str, Any], expected: tuple[int, str, str], bot: Bot, call: Callable[..., Any]
) -> None:
    assert refusal(call("post", "bots", data=data, content_type="application/json")) == expected


def test_a_name_twice_is_a_conflict(bot: Bot, call: Callable[..., Any]) -> None:
    assert refusal(call("post", "bots", data={"name": bot.name, "game": "pickomino"})) == (409, "name_taken", "name")


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b"[]", "application/json", 400),
        (b"\xff\xfe", "application/json", 400),
        (b"x", "image/png", 415),
        (b"no parts", "multipart/form-data; boundary=b", 400),
        (b"no parts", "multipart/form-data", 400),
    ],
)
def test_a_body_that_makes_no_sense_is_answered_with_a_reason(
    body: bytes, kind: str, status: int, bot: Bot, call: Callable[..., Any]
) -> None:
    assert refusal(call("post", "bots", data=body, content_type=kind))[0] == status


def test_too_many_waiting_versions_get_a_retry_after(bot: Bot, call: Callable[..., Any]) -> None:
    BotVersionFactory.create_batch(services.MAX_WAITING, bot=bot, open=True)
    assert refusal(call("post", "versions", bot.slug, data=a_file())) == (429, "too_many_waiting", "file")


def test_uploads_are_throttled_and_reading_is_not(bot: Bot, call: Callable[..., Any]) -> None:
    with patch.object(ScopedRateThrottle, "THROTTLE_RATES", {"upload": "2/hour"}):
        statuses = [call("post", "versions", bot.slug, data=a_file()).status_code for _ in range(3)]
        assert statuses == [201, 200, 429]
        assert refusal(call("post", "versions", bot.slug, data=a_file())) == (429, "throttled", "")
        assert call("get", "bots").status_code == 200


def test_pages_and_api_share_one_count_of_uploads(bot: Bot, call: Callable[..., Any], client: Client) -> None:
    client.force_login(bot.owner)
    new = {"name": "Rooster", "game": "pickomino", "blurb": ""}
    with patch.object(ScopedRateThrottle, "THROTTLE_RATES", {"upload": "3/hour"}):
        assert call("post", "versions", bot.slug, data=a_file()).status_code == 201
        pages = [reverse("bots:upload", args=[bot.slug]), reverse("bots:create")]
        answers = [client.post(page, new | a_file(b"def act(:")) for page in pages]
        assert ["Syntax error" in answer.content.decode() for answer in answers] == [True, True]
        for page in pages:
            answer = client.post(page, new | a_file())
            assert answer.status_code == 422
            assert "Upload again in 60 minutes" in answer.content.decode()
        assert refusal(call("post", "versions", bot.slug, data=a_file()))[1] == "throttled"
    assert not bot.owner.bots.filter(name="Rooster").exists()


@pytest.mark.parametrize("token", ["", "peck_wrong", "x" * 5000, "ä"])
def test_a_wrong_token_is_401(token: str, bot: Bot, client: Client) -> None:
    response = client.get(reverse("api:bots"), headers={"authorization": f"Token {token}"})
    assert refusal(response)[0] == 401


def test_a_bot_and_its_versions_are_there_for_everyone(bot: Bot, client: Client) -> None:
    BotVersionFactory.create(bot=bot, report={"detail": "only for the author"})
    BotVersionFactory.create(bot=bot, refused=True)
    found = client.get(reverse("api:bot", args=[bot.slug])).json()
    assert (found["slug"], found["author"], found["current"], found["is_house"]) == (
        bot.slug,
        bot.owner.username,
        1,
        False,
    )
    versions = client.get(reverse("api:versions", args=[bot.slug]))
    assert b"only for the author" not in versions.content
    assert [(one["number"], one["state"], one["is_current"]) for one in versions.json()["results"]] == [
        (2, "refused", False),
        (1, "accepted", True),
    ]


def test_results_are_those_of_the_bots_page(client: Client) -> None:
    first = BotVersionFactory.create()
    second, rival = BotVersionFactory.create(bot=first.bot), BotVersionFactory.create(source=BRISK)
    matches = [FinishedMatchFactory.create(seats=[rival, version]) for version in (first, second)]
    hidden = FinishedMatchFactory.create(seats=[first, BotVersionFactory.create()], audience="organiser")

    def ids(**query: Any) -> list[int]:
        rows = client.get(reverse("api:results", args=[first.bot.slug]), query).json()["results"]
        return [row["match"] for row in rows]

    assert ids() == [matches[1].pk, matches[0].pk]
    assert ids(version=1) == ids(version=1, opponent=rival.bot.slug) == [matches[0].pk]
    assert ids(opponent=hidden.seats.get(index=1).version.bot.slug) == []
    row = client.get(reverse("api:results", args=[first.bot.slug])).json()["results"][0]
    seat = matches[1].seats.get(index=1)
    assert (row["seat"], row["games"], row["share"], row["version"]) == (1, 2, seat.score / 2, 2)
    assert row["opponents"] == [{"slug": rival.bot.slug, "name": rival.bot.name, "version": 1, "seat": 0}]


def test_an_author_gets_a_failure_with_all_its_stored_data(bot: Bot, call: Callable[..., Any]) -> None:
    faulty = [BotVersionFactory.create(bot=bot, source=CRASHES) for _ in range(2)]
    visible, hidden = (FinishedMatchFactory.create(seats=[one, BotVersionFactory.create()]) for one in faulty)
    for other in (BotVersionFactory.create(source=CRASHES), BotVersionFactory.create()):
        FinishedMatchFactory.create(seats=[other, BotVersionFactory.create(source=CRASHES)])
    visible.seats.get(index=0).faults.update(line=2, output="a private print")
    fault = visible.seats.get(index=0).faults.get(verdict="crashed")
    (failure,) = call("get", "failures", bot.slug, data={"match": visible.pk}).json()["results"]
    assert (failure["match"], failure["game"], failure["version"], failure["verdict"]) == (visible.pk, 0, 1, "crashed")
    private = (fault.view, fault.exception, "a private print")
    assert (failure["view"], failure["exception"], failure["output"]) == private
    assert "no idea" in failure["detail"]
    assert [line["text"] for line in failure["excerpt"] if line["is_culprit"]] == ["    raise ValueError('no idea')"]
    assert failure["advice"] == str(EXPLANATIONS["crashed"].advice)
    assert len(call("get", "failures", bot.slug).json()["results"]) == 2
    assert call("get", "failures", bot.slug, data={"version": 2}).json()["results"][0]["match"] == hidden.pk
    assert refusal(call("get", "failures", bot.slug, data={"page_size": 26})) == (400, "invalid", "page_size")
    hidden.audience = "organiser"
    hidden.save()
    assert call("get", "failures", bot.slug, data={"version": 2}).json()["results"] == []


def test_the_description_of_the_api_names_every_address(client: Client) -> None:
    schema = client.get(reverse("api-schema"), {"format": "json"}).json()
    upload = schema["paths"]["/api/bots/{slug}/versions/"]["post"]
    assert "multipart/form-data" in upload["requestBody"]["content"]
    assert {"200", "201", "413", "429"} <= set(upload["responses"])
    assert {"/api/bots/", "/api/bots/{slug}/versions/{number}/make-current/"} <= set(schema["paths"])


def test_a_problem_document_names_every_wrong_field(call: Callable[..., Any]) -> None:
    answer = call("post", "bots", data={"name": "", "game": "chess"}, content_type="application/json")
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    data = answer.json()
    assert [(one["field"], one["code"]) for one in data["errors"]] == [("name", "blank"), ("game", "invalid_choice")]
    assert (data["title"], data["status"], data["instance"]) == ("Bad Request", 400, "/api/bots/")
    assert (data["field"], data["code"], data["detail"]) == tuple(
        data["errors"][0][one] for one in ("field", "code", "detail")
    )
