"""Contests that are over stay readable after their organiser has deleted their account."""

import pytest
from django.test import Client
from django.urls import reverse

from arena.accounts.deletion import person_delete
from bots.deletion import NOBODY
from leagues.models import LeagueState
from tests.arena.factories import OrganiserFactory, UserFactory
from tests.leagues.factories import LeagueFactory
from tests.series.factories import finished_cup
from tests.tournaments.factories import bot_of

pytestmark = pytest.mark.django_db


def test_pages_of_a_deleted_organiser_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    organiser = OrganiserFactory()
    cup = finished_cup(organiser, [bot_of(UserFactory()) for _ in range(2)])
    league = LeagueFactory(organiser=organiser, state=LeagueState.CLOSED)
    person_delete(person=organiser)
    for address in (
        reverse("tournaments:detail", args=[cup.slug]),
        reverse("leagues:detail", args=[league.slug]),
    ):
        answer = Client().get(address)
        assert (answer.status_code, NOBODY in answer.content.decode()) == (200, True)
