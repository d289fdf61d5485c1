"""Requests over the API to become an organiser."""

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from contests.models import OrganiserRequest
from contests.services import organiser_request_decide
from tests.arena.factories import OrganiserFactory, UserFactory
from tests.arena.openapi import as_described
from tests.bots.test_permissions import token_of

pytestmark = pytest.mark.django_db
PATH = "/api/organiser-request/"


@pytest.fixture(autouse=True)
def _uncounted() -> None:
    cache.clear()


def send(person: Any, method: str = "post", **sent: Any) -> Any:
    client = Client(headers={"authorization": f"Token {token_of(person)}"})
    return as_described(client.post(PATH, sent, "application/json") if method == "post" else client.get(PATH))


def test_a_request_is_made_once_and_its_decision_is_readable() -> None:
    hen, staff = UserFactory(), UserFactory(is_staff=True)
    assert send(hen, "get").status_code == 404
    response = send(hen, reason="A cup for my school.")
    assert (response.status_code, response.json()["is_granted"]) == (201, None)
    again = send(hen, reason="Please.")
    assert (again.status_code, again.json()["code"]) == (409, "refused")
    organiser_request_decide(request_id=OrganiserRequest.objects.get().pk, granted=False, by=staff)
    assert send(hen, "get").json()["is_granted"] is False
    assert send(hen, reason="Please.").status_code == 409


@pytest.mark.parametrize("sent", [{}, {"reason": ""}, {"reason": "x" * 501}, {"reason": ["x"]}])
def test_a_reason_is_needed(sent: Any) -> None:
    answer = send(UserFactory(), **sent)
    assert (answer.status_code, answer.json()["field"]) == (400, "reason")
    assert not OrganiserRequest.objects.exists()


def test_an_organiser_cannot_request_it() -> None:
    assert send(OrganiserFactory(), reason="More.").status_code == 409
