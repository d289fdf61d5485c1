"""The broadcast of a match over the API: who runs the match announces, moves and ends it."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from matches.models import Match, MatchState
from tests.arena.factories import UserFactory
from tests.arena.openapi import as_described
from tests.bots.test_permissions import token_of
from tests.matches.airing.on_air import match_on_air
from tests.matches.factories import MatchFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def organiser() -> Any:
    return UserFactory()


def send(person: Any, method: str, match: Match, **sent: Any) -> Any:
    client = Client(headers={"authorization": f"Token {token_of(person)}"} if person else {})
    path = f"/api/matches/{match.pk}/broadcast/"
    return as_described(client.generic(method, path) if not sent else client.put(path, sent, "application/json"))


def test_it_is_announced_moved_and_called_off(organiser: Any) -> None:
    match = MatchFactory(organiser=organiser)
    assert send(organiser, "GET", match).json() == {
        "tempo": "",
        "premieres_at": None,
        "airs_at": None,
        "air_ends_at": None,
    }
    later = timezone.now() + timedelta(hours=1)
    for _ in range(2):
        assert send(organiser, "PUT", match, tempo="story", premieres_at=later.isoformat()).json()["tempo"] == "story"
    later += timedelta(hours=1)
    assert send(organiser, "PUT", match, premieres_at=later.isoformat()).status_code == 200
    match.refresh_from_db()
    assert (match.tempo, match.premieres_at) == ("story", later)
    assert send(organiser, "PUT", match, tempo="").json()["tempo"] == ""
    assert send(organiser, "DELETE", match).json()["code"] == "changed"


def test_a_broadcast_is_ended_once(organiser: Any) -> None:
    match = match_on_air(organiser=organiser)
    assert send(organiser, "PUT", match, tempo="story").json()["code"] == "changed"
    assert send(organiser, "DELETE", match).status_code == 200
    match.refresh_from_db()
    assert match.state == MatchState.FINISHED
    assert send(organiser, "DELETE", match).json()["code"] == "changed"


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"tempo": "nonsense"}, "tempo"),
        ({"tempo": "story", "premieres_at": "2020-01-01T00:00Z"}, "premieres_at"),
        ({"tempo": "story", "premieres_at": "2999-01-01T00:00Z"}, "premieres_at"),
        ({"tempo": "", "premieres_at": "SOON"}, "tempo"),
        ({"premieres_at": "SOON"}, "tempo"),
        ({"premieres_at": "nonsense"}, "premieres_at"),
    ],
)
def test_what_is_nonsense_is_refused_by_its_field(organiser: Any, sent: dict[str, str], field: str) -> None:
    match = MatchFactory(organiser=organiser)
    soon = (timezone.now() + timedelta(hours=1)).isoformat()
    answer = send(organiser, "PUT", match, **{name: soon if value == "SOON" else value for name, value in sent.items()})
    assert (answer.status_code, answer.json()["field"]) == (400, field)
    match.refresh_from_db()
    assert (match.tempo, match.premieres_at) == ("", None)


def test_it_is_for_who_runs_the_match(organiser: Any) -> None:
    match = MatchFactory(organiser=organiser)
    author = match.seats.all()[0].version.bot.owner
    for person, status in ((None, 401), (author, 403), (UserFactory(is_staff=True), 200)):
        assert send(person, "PUT", match, tempo="story").status_code == status
