"""The page of a group lists its tournaments and leagues to its members."""

import pytest
from django.test import Client
from django.urls import reverse

from contests.audience import ContestAudience
from tests.arena.factories import UserFactory
from tests.groups.factories import GroupFactory, member_in
from tests.leagues.factories import LeagueFactory
from tests.tournaments.factories import TournamentFactory

pytestmark = pytest.mark.django_db


def page_of(person: object, slug: str) -> str:
    client = Client()
    client.force_login(person)  # type: ignore[arg-type]
    return client.get(reverse("groups:detail", args=[slug])).content.decode()


def test_members_find_its_events_and_no_drafts_or_events_of_others() -> None:
    group, other = GroupFactory.create(), GroupFactory.create()
    mine = {"audience": ContestAudience.GROUP, "group": group, "organiser": group.created_by}
    TournamentFactory(name="Class Cup", state="open", **mine)
    TournamentFactory(name="Draft Cup", state="draft", **mine)
    LeagueFactory(name="Class League", state="open", **mine)
    TournamentFactory(name="Their Cup", state="open", audience=ContestAudience.GROUP, group=other)
    TournamentFactory(name="Public Cup", state="open")
    member = member_in(group).person
    page = page_of(member, group.slug)
    assert "Class Cup" in page
    assert "Class League" in page
    for absent in ("Draft Cup", "Their Cup", "Public Cup"):
        assert absent not in page
    assert "Draft Cup" in page_of(group.created_by, group.slug)
    assert "Class Cup" not in page_of(UserFactory(), group.slug)
