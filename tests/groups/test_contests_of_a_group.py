"""The page of a group lists its tournaments and leagues to its members."""

from typing import Any

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


def test_the_list_counts_members_and_events_of_ones_own_groups_for_nobody_else() -> None:
    group = GroupFactory.create(is_listed=True)
    mine = {"audience": ContestAudience.GROUP, "group": group, "organiser": group.created_by}
    for state in ("open", "open", "draft"):
        TournamentFactory(state=state, **mine)
    LeagueFactory(state="open", **mine)
    member, client = member_in(group).person, Client()
    listed = reverse("groups:list")
    client.force_login(member)
    text = " ".join(client.get(listed).content.decode().split())
    assert f"{group.members.count()} members · 2 tournaments · 1 league" in text
    outside = " ".join(Client().get(listed).content.decode().split())
    assert group.name in outside
    for hidden in ("members", "2 tournaments", "1 league"):
        assert hidden not in outside.partition("<main")[2].partition("</main")[0]


def test_staff_of_a_group_create_a_tournament_from_its_page() -> None:
    group = GroupFactory()
    member = member_in(group).person
    owner: Any = group.created_by
    page = reverse("groups:detail", args=[group.slug])
    create = f"{reverse('tournaments:create')}?audience=group:{group.slug}"
    client = Client()
    client.force_login(member)
    assert create not in client.get(page).content.decode()
    client.force_login(owner)
    assert create in client.get(page).content.decode()
    assert f'value="group:{group.slug}" selected' in client.get(create).content.decode()
    assert client.get(f"{reverse('tournaments:create')}?audience=group:nowhere").status_code == 200
