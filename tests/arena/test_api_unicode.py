"""Half a character in a request of the API is refused, whichever field it is in, and never our own fault."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from tests.arena.openapi import description
from tests.arena.test_api import a_site, address, headers_of

pytestmark = pytest.mark.django_db

HALF = "\ud800"


@pytest.fixture(autouse=True)
def _quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    monkeypatch.setattr("web.limits.AuthorThrottle.allow_request", lambda *_args: True)


def writes() -> Iterator[tuple[str, str, list[str]]]:
    """Every operation that takes JSON: its path, its method and the names of its fields."""
    schema = description()
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            content = operation.get("requestBody", {}).get("content", {})
            if "application/json" in content:
                reference = content["application/json"]["schema"].get("$ref", "")
                fields = schema["components"]["schemas"].get(reference.rpartition("/")[2], {}).get("properties", {})
                yield path, method, list(fields)


def bodies(fields: list[str]) -> list[Any]:
    return [
        dict.fromkeys(fields, HALF),
        {field: [HALF] for field in fields},
        {field: {HALF: f"a{HALF}"} for field in fields},
        {HALF: 1},
        [HALF],
    ]


@pytest.mark.parametrize("role", ["anonymous", "owner", "organiser"])
def test_half_a_character_is_refused_by_every_operation(role: str) -> None:
    site = a_site()
    headers = headers_of(site["people"].get(role))
    client = Client(raise_request_exception=False)
    found, data = {}, 0
    for path, method, fields in writes():
        for number, body in enumerate(bodies(fields)):
            answer = client.generic(
                method, address(path, site), json.dumps(body), content_type="application/json", headers=headers
            )
            data += 1
            if not 400 <= answer.status_code < 500 or answer.json()["status"] != answer.status_code:
                found[f"{method} {path} {number}"] = answer.status_code
    assert found == {}
    assert data > 100


def test_a_whole_character_of_two_halves_is_taken() -> None:
    site = a_site()
    headers = headers_of(site["people"]["owner"])
    body = b'{"name": "Hen \\ud83d\\udc14", "game": "pickomino"}'
    answer = Client().post("/api/bots/", body, content_type="application/json", headers=headers)
    assert answer.status_code == 201
    assert answer.json()["name"] == "Hen \N{CHICKEN}"
