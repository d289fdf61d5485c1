"""Announcements over the API."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from announcements.models import Announcement
from tests.announcements.factories import announced
from tests.arena.factories import UserFactory
from tests.bots.test_permissions import token_of
from tests.tournaments.factories import TournamentFactory

pytestmark = pytest.mark.django_db


def send(person: Any, method: str, address: str, data: Any = None) -> Any:
    headers = {"authorization": f"Token {token_of(person)}"} if person else {}
    call = getattr(Client(), method)
    return call(address, data, content_type="application/json", headers=headers)


def test_the_organiser_writes_changes_and_deletes() -> None:
    cup = TournamentFactory()
    listed = reverse("api-announcements:list", args=["tournament", cup.slug])
    made = send(cup.organiser, "post", listed, {"title": "Room 12", "text": "*Now.*"})
    assert made.status_code == 201
    assert (made.json()["author"], made.json()["edits"]) == (cup.organiser.username, 0)
    one = made["Location"]
    changed = send(cup.organiser, "patch", one, {"is_pinned": True, "edits": 0})
    assert (changed.status_code, changed.json()["title"], changed.json()["is_pinned"]) == (200, "Room 12", True)
    again = send(cup.organiser, "patch", one, {"title": "x", "edits": 0})
    assert (again.status_code, again.json()["code"]) == (409, "edited")
    assert [row["title"] for row in Client().get(listed).json()["results"]] == ["Room 12"]
    assert send(cup.organiser, "delete", one).status_code == 204
    assert not Announcement.objects.exists()


@pytest.mark.parametrize("who", ["nobody", "stranger"])
def test_others_are_refused(who: str) -> None:
    cup = TournamentFactory()
    one = reverse("api-announcements:detail", args=[announced(cup).pk])
    person, status = (None, 401) if who == "nobody" else (UserFactory(is_organiser=True), 403)
    listed = reverse("api-announcements:list", args=["tournament", cup.slug])
    assert send(person, "post", listed, {"title": "a"}).status_code == status
    assert send(person, "patch", one, {"title": "a", "edits": 0}).status_code == status
    assert send(person, "delete", one).status_code == status
    assert Client().get(one).status_code == 200


@pytest.mark.parametrize(
    "data",
    [
        *({}, {"title": ""}, {"title": "a" * 121}, {"title": "a\0"}, {"title": ["a"]}),
        *({"title": "a", "text": "a" * 5001}, {"title": "a", "publish_at": "soon"}),
        {"title": "a", "is_pinned": "perhaps"},
    ],
)
def test_bad_values_are_refused(data: Any) -> None:
    cup = TournamentFactory()
    listed = reverse("api-announcements:list", args=["tournament", cup.slug])
    assert send(cup.organiser, "post", listed, data).status_code == 400
