"""What a tournament would cost, over the API."""

from typing import Any

import pytest
from django.test import Client

from tests.arena.factories import OrganiserFactory, UserFactory
from tests.arena.openapi import as_described
from tests.bots.test_permissions import token_of
from tournaments.models import Tournament
from tournaments.workload import workload_of

pytestmark = pytest.mark.django_db
CUP = {"name": "Harvest Cup", "game": "pickomino", "format": "swiss", "rounds": 5, "entrants_most": 16, "blocks": 4}


def send(person: Any, path: str, sent: Any) -> Any:
    client = Client(headers={"authorization": f"Token {token_of(person)}"})
    return as_described(client.post(path, sent, "application/json"))


def test_it_is_that_of_the_tournament_when_it_is_created_and_creates_none() -> None:
    organiser = OrganiserFactory()
    data = send(organiser, "/api/tournaments/new/estimate/", CUP).json()
    assert not Tournament.objects.exists()
    assert send(organiser, "/api/tournaments/", CUP).status_code == 201
    workload = workload_of(Tournament.objects.get())
    assert (data["entries"], data["games"], data["rounds"], data["matches"]) == (16, workload.games, 5, 40)
    assert data["usual_hours"] == pytest.approx(workload.usual)
    assert data["most_hours"] == pytest.approx(workload.most)
    assert data["taken_hours"] == 0
    after = send(organiser, "/api/tournaments/new/estimate/", CUP).json()
    assert after["taken_hours"] == pytest.approx(workload.usual)


def test_it_is_for_organisers_and_names_what_is_wrong() -> None:
    assert send(UserFactory(), "/api/tournaments/new/estimate/", CUP).status_code == 403
    refused = send(OrganiserFactory(), "/api/tournaments/new/estimate/", CUP | {"game": "chess"})
    assert (refused.status_code, refused.json()["field"]) == (400, "game")
    assert (
        send(OrganiserFactory(), "/api/tournaments/new/estimate/", CUP | {"nam": 1}).json()["code"] == "unknown_field"
    )
