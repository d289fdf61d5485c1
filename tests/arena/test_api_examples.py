"""The examples in the OpenAPI page: every answer has one, the schema accepts it, and problems are those that come."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from django.urls import reverse
from jsonschema import Draft202012Validator
from rest_framework import serializers

from arena.accounts.tokens import token_create
from leagues.organising_api import FILES as SEASON_FILES
from leagues.services import season_schedule
from tests.arena.factories import UserFactory
from tests.arena.openapi import described_schema, description
from tests.leagues.factories import open_league, season_of, worker_up
from tests.tournaments.factories import TournamentFactory, running_tournament
from tournaments.exports_api import FILES as CUP_FILES
from web.api_errors import PROBLEM
from web.api_examples import PROBLEMS, api_example_shown, api_examples_show
from web.models import KeptAnswer

BYTES = ("application/octet-stream", "application/zip")


def contents() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Each answer with a body: where it is described, its media type, and its description."""
    for path, methods in description()["paths"].items():
        for method, operation in methods.items():
            for status, answer in operation["responses"].items():
                for kind, content in answer.get("content", {}).items():
                    yield f"{method} {path} {status}", kind, content


def example_in(content: dict[str, Any]) -> Any:
    (one,) = content["examples"].values()
    name = one.get("$ref", "").rpartition("/")[2]
    return description()["components"]["examples"][name]["value"] if name else one["value"]


def test_every_answer_has_an_example_that_its_schema_accepts() -> None:
    examples = 0
    for where, kind, content in contents():
        if kind in BYTES:
            assert "examples" not in content, where
            continue
        checker = Draft202012Validator(described_schema(content), format_checker=Draft202012Validator.FORMAT_CHECKER)
        assert [f"{error.json_path}: {error.message}" for error in checker.iter_errors(example_in(content))] == [], (
            where
        )
        examples += 1
    assert examples > 500


def test_no_example_is_empty() -> None:
    rows = [example_in(content) for _where, kind, content in contents() if kind == "application/json"]
    assert all(rows)
    assert "x-shown" not in str(description())


@pytest.mark.django_db
def test_the_examples_of_exports_have_the_fields_that_come() -> None:
    cup, league = running_tournament(entries=2), open_league(bots=2)
    worker_up()
    season_schedule(season_id=season_of(league).pk)
    shown = {reverse(f"api-tournaments:{name}", args=[cup.slug]): name for name in ("tournament.json", "ratings.json")}
    shown[reverse("api-leagues:season.json", args=[league.slug, 1])] = "season.json"
    examples = {one.name: one.shown for one in (*CUP_FILES, *SEASON_FILES)}
    for address, name in shown.items():
        assert json.loads(Client().get(address).getvalue()).keys() == examples[name].keys(), name


def test_a_problem_is_shown_with_its_own_status() -> None:
    for where, kind, content in contents():
        if kind == PROBLEM:
            assert where.endswith(f" {example_in(content)['status']}")


def test_a_text_of_which_nothing_is_shown_fails() -> None:
    schema = {"type": "object", "properties": {"name": {"type": "string"}}}
    with pytest.raises(LookupError, match=r"Hen\.name"):
        api_examples_show(page_of(schema))
    shown_too_much = {**schema, "x-shown": {"name": "Hen", "colour": "red"}}
    with pytest.raises(LookupError, match="colour"):
        api_examples_show(page_of(shown_too_much))


def page_of(schema: dict[str, Any]) -> dict[str, Any]:
    answer = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Hen"}}}}
    return {"paths": {"/": {"get": {"responses": {"200": answer}}}}, "components": {"schemas": {"Hen": schema}}}


def test_examples_of_a_serializer_are_inherited() -> None:
    @api_example_shown(name="Hen")
    class Bird(serializers.Serializer[Any]):
        name = serializers.CharField()

    @api_example_shown(colour="red")
    class Red(Bird):
        colour = serializers.CharField()

    shown = Red._spectacular_annotation["extensions"]["x-shown"]  # type: ignore[attr-defined]  # drf-spectacular's own
    assert shown == {"name": "Hen", "colour": "red"}
    assert Bird._spectacular_annotation["extensions"]["x-shown"] == {"name": "Hen"}  # type: ignore[attr-defined]


class Caller:
    """An organiser with a token that may do all but what is in ``lacks``."""

    def __init__(self, *, lacks: str = "") -> None:
        self.person = UserFactory(is_organiser=True)
        scopes = [one for one in ("upload", "organise", "hooks") if one != lacks]
        secret = token_create(owner=self.person, name="t", scopes=scopes)
        self.client = Client(headers={"authorization": f"Token {secret}"})

    def post(self, data: Any = None, **headers: str) -> Any:
        return self.client.post("/api/bots/", data or {}, content_type="application/json", headers=headers)

    def settings(self, **headers: str) -> Any:
        cup = TournamentFactory(organiser=self.person)
        address = f"/api/tournaments/{cup.slug}/settings/"
        return self.client.patch(address, {"rounds": 3}, content_type="application/json", headers=headers)


def unfinished(monkeypatch: pytest.MonkeyPatch) -> Any:
    caller = Caller()
    monkeypatch.setattr("web.idempotency._digest", lambda _request: "1")
    KeptAnswer.objects.create(user_id=caller.person.pk, key="k", digest="1")
    return caller.post(**{"Idempotency-Key": "k"})


def reused(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr("web.idempotency._digest", lambda _request: "1")
    caller = Caller()
    KeptAnswer.objects.create(user_id=caller.person.pk, key="k", digest="2")
    return caller.post(**{"Idempotency-Key": "k"})


def throttled(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr("web.limits.AuthorThrottle.allow_request", lambda *_args: False)
    monkeypatch.setattr("web.limits.AuthorThrottle.wait", lambda *_args: 60)
    return Caller().post()


def away(monkeypatch: pytest.MonkeyPatch) -> Any:
    def fail(*_args: Any) -> None:
        raise OperationalError("no answer")

    monkeypatch.setattr("web.database.database_is_outage", lambda _error: True)
    monkeypatch.setattr("web.api_errors.database_is_outage", lambda _error: True)
    monkeypatch.setattr("web.api_view.API.scope_require", fail)
    return Caller().post()


CAUSES: dict[int, Callable[[pytest.MonkeyPatch], Any]] = {
    400: lambda _: Caller().client.get("/api/bots/", {"page_size": 0}),
    401: lambda _: Client().get("/api/bots/"),
    403: lambda _: Caller(lacks="upload").post(),
    404: lambda _: Caller().client.get("/api/bots/nobodys/"),
    409: unfinished,
    412: lambda _: Caller().settings(**{"If-Match": '"older"'}),
    413: lambda _: Caller().post({"name": "x" * 70_000}),
    422: reused,
    428: lambda _: Caller().settings(),
    429: throttled,
    503: away,
}


@pytest.mark.django_db
@pytest.mark.parametrize("status", PROBLEMS)
def test_a_problem_is_shown_as_it_comes(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = CAUSES[status](monkeypatch)
    assert answer.status_code == status
    found = answer.json()
    assert (found["code"], found["field"], found["detail"]) == PROBLEMS[status]
