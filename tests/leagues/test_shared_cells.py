"""Live cells of a league that are everyone's: who is given them, and that nothing in them is somebody's own."""

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from leagues.models import League, LeagueState
from tests.arena.factories import UserFactory
from tests.leagues.factories import open_league
from web.topics import SHARED

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    caches["optional"].clear()


def people(league: League) -> dict[str, Client]:
    member = league.memberships.select_related("bot__owner").first()
    assert member is not None
    found = {"anonymous": Client()}
    others = {"author": member.bot.owner, "another author": UserFactory(), "organiser": league.organiser}
    for role, person in {**others, "staff": UserFactory(is_staff=True)}.items():
        found[role] = Client()
        found[role].force_login(person)
    return found


def test_only_anonymous_responses_are_shared_and_every_page_subscribes() -> None:
    league = open_league(bots=3)
    anonymous = Client().get(reverse("leagues:live", args=[league.slug])).content
    for role, client in people(league).items():
        answer = client.get(reverse("leagues:live", args=[league.slug]))
        page = client.get(reverse("leagues:detail", args=[league.slug])).content.decode()
        assert answer.get(SHARED, "") == (f"league.{league.pk} 2" if role == "anonymous" else ""), role
        assert " data-shared" in page, role
        assert ("data-rows=" in page) == (role == "author"), role
        assert answer.content.replace(b' class="mine"', b"") == anonymous, role


def test_a_draft_of_a_league_is_visible_only_to_its_officials() -> None:
    league = open_league(bots=3)
    League.objects.filter(pk=league.pk).update(state=LeagueState.DRAFT)
    for role, client in people(league).items():
        answer = client.get(reverse("leagues:live", args=[league.slug]))
        runs = role in ("organiser", "staff")
        assert answer.status_code == (200 if runs else 404)
        assert not runs or b" data-shared" not in client.get(reverse("leagues:detail", args=[league.slug])).content
        assert SHARED not in answer
