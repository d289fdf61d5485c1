"""Running a league over the API: from a draft to its end, and what is refused."""

from typing import Any

import pytest
from django.test import Client

from leagues.models import League
from tests.arena.factories import UserFactory
from tests.arena.openapi import as_described
from tests.bots.test_permissions import token_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


class Organiser:
    def __init__(self) -> None:
        self._headers = {"authorization": f"Token {token_of(UserFactory(is_organiser=True))}"}

    def call(self, method: str, at: str, body: Any = None) -> Any:
        send, address = getattr(Client(), method), f"/api/leagues/{at}"
        if method == "get":
            return as_described(send(address, headers=self._headers))
        return as_described(send(address, body or {}, content_type="application/json", headers=self._headers))


def test_a_league_goes_from_a_draft_through_two_seasons_to_its_end() -> None:
    organiser = Organiser()
    wanted = {"name": "Yard", "game": "pickomino", "blocks": 3, "limits": {"act_cpu": 0.5}, "season_days": 7}
    made = organiser.call("post", "", wanted)
    assert (made.status_code, made["Location"], made.json()["state"]) == (201, "/api/leagues/yard/", "draft")
    changed = organiser.call("patch", "yard/settings/", {"description": "All year.", "options": {"steal": "mandatory"}})
    data = organiser.call("get", "yard/settings/").json()
    assert data == changed.json()
    assert (data["blocks"], data["season_days"], data["limits"]["act_cpu"]) == (3, 7, 0.5)
    assert (data["description"], data["options"]["steal"]) == ("All year.", "mandatory")
    assert organiser.call("patch", "yard/settings/", data).json() == data
    acts = (("open", 1), ("pause", 1), ("resume", 1), ("end-season", 1), ("next-season", 2), ("end-season", 2))
    for act, season in acts:
        answer = organiser.call("post", f"yard/{act}/")
        assert (answer.status_code, answer.json()["season"]) == (200, season), act
    assert organiser.call("post", "yard/close/").json()["state"] == "closed"
    for name in ("season.json", "ladder.csv", "matches.csv", "records.jsonl", "proof.zip"):
        assert organiser.call("get", f"yard/seasons/1/export/{name}").status_code == 200


@pytest.mark.parametrize(
    ("act", "body", "status", "field", "code"),
    [
        ("settings", {"blocks": 0}, 400, "blocks", "min_value"),
        ("settings", {"blocs": 1}, 400, "blocs", "unknown_field"),
        ("settings", {"players_per_table": 9}, 400, "players_per_table", "invalid"),
        ("end-season", None, 409, "", "wrong_state"),
        ("next-season", None, 409, "", "wrong_state"),
        ("pause", None, 409, "", "wrong_state"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_changes(act: str, body: Any, status: int, field: str, code: str) -> None:
    organiser = Organiser()
    organiser.call("post", "", {"name": "Yard", "game": "pickomino"})
    before = list(League.objects.values())
    answer = organiser.call("patch" if body else "post", f"yard/{act}/", body)
    assert (answer.status_code, answer.json()["field"], answer.json()["code"]) == (status, field, code)
    assert list(League.objects.values()) == before


def test_an_open_league_keeps_its_terms() -> None:
    organiser = Organiser()
    organiser.call("post", "", {"name": "Yard", "game": "pickomino"})
    organiser.call("post", "yard/open/")
    answer = organiser.call("patch", "yard/settings/", {"blocks": 5})
    content = answer.json()
    assert (answer.status_code, content["code"], content["field"]) == (409, "fixed", "blocks")
    changes = {"description": "In room 12.", "season_days": 14, "bots_per_author": 5, "team_size": 4}
    stored = organiser.call("patch", "yard/settings/", changes).json()
    assert stored == stored | changes
    organiser.call("post", "yard/close/")
    assert organiser.call("patch", "yard/settings/", {"description": "It was good."}).status_code == 200
    wrong = organiser.call("patch", "yard/settings/", {"season_days": 9999})
    assert (wrong.status_code, wrong.json()["field"]) == (400, "season_days")
