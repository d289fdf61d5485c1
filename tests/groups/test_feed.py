"""The feed of a group: for programs of its members alone, and only what these may see."""

from datetime import timedelta
from typing import Any, Final

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from groups.models import Group, GroupMember
from groups.selectors import group_feed_token_of
from groups.services import group_member_leave
from leagues.services import season_end
from tests.arena.factories import UserFactory
from tests.assignments.factories import assignment_in
from tests.groups.factories import GroupFactory, member_in
from tests.leagues.factories import open_league
from tests.series.factories import series_of
from tests.tournaments.factories import TournamentFactory, in_state
from tests.tournaments.test_feeds import announce, entries
from tournaments.models import Publication, Tournament

pytestmark = pytest.mark.django_db
FORGED: Final = "0" * 64


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def address_of(group: Group, person: Any) -> str:
    return reverse("groups:feed", args=[group.slug, group_feed_token_of(person, group)])


def a_group() -> tuple[Group, Any]:
    group, member = GroupFactory(), UserFactory()
    member_in(group, member)
    return group, member


def test_it_lists_announcements_and_events_of_contests_to_members() -> None:
    group, member = a_group()
    fields: dict[str, Any] = {"audience": "group", "group": group}
    cup = in_state("finished")
    Tournament.objects.filter(pk=cup.pk).update(name="Cup", **fields)
    league = open_league(name="League", organiser=group.created_by, **fields)
    season_end(league=league)
    series = series_of(group.created_by, name="Series", ended_at=timezone.now(), **fields)
    now = timezone.now()
    assignment_in(group, title="Greedy")
    assignment_in(group, title="Not open", opens_at=now + timedelta(days=1), due_at=now + timedelta(days=2))
    others = (open_league(2), TournamentFactory())
    for kind, row in (("group", group), ("tournament", cup), ("league", league), ("series", series)):
        announce(kind, row.pk, f"Of the {kind}")
    announce("league", others[0].pk, "Of another")
    assert sorted(entries(address_of(group, member))) == [
        *("Cup has started.", "Cup: Final result", "Cup: Of the tournament"),
        *("League: Of the league", "League: Season 1 has begun", "League: Season 1 has ended"),
        *("New assignment: Greedy", "Of the group", "Series is over: its table is final.", "Series: Of the series"),
    ]


@pytest.mark.parametrize("publication", [Publication.HIDDEN, Publication.PARTICIPANTS])
def test_unpublished_results_are_not_listed(publication: Publication) -> None:
    group, member = a_group()
    cup = in_state("finished")
    fields = {"name": "Cup", "audience": "group", "group": group, "publication": publication}
    Tournament.objects.filter(pk=cup.pk).update(**fields)
    assert entries(address_of(group, member)) == ["Cup has started."]


def test_the_page_names_it_to_members_and_it_needs_no_session() -> None:
    group, member = a_group()
    signed_in = Client()
    signed_in.force_login(member)
    page = signed_in.get(reverse("groups:detail", args=[group.slug])).content.decode()
    address = address_of(group, member)
    assert page.count(f'href="{address}"') == 2
    first = Client().get(address)
    assert "private" in first["Cache-Control"]
    assert first["X-Robots-Tag"] == "noindex"
    assert "X-Live-Shared" not in first
    assert Client().get(address, headers={"if-none-match": first["ETag"]}).status_code == 304


def test_nobody_else_gets_it() -> None:
    group, member = a_group()
    outsider, staff = UserFactory(), UserFactory(is_staff=True)
    other = GroupFactory()
    member_in(other, outsider)
    named, secret = group_feed_token_of(member, group).split("-")
    forged = [
        *("forged", f"{named}-{FORGED}", f"{outsider.pk}-{secret}", f"9{'0' * 17}-{secret}", f"9{'0' * 30}-{secret}"),
        *(f"{named}-{secret}0", f"-{secret}", f"\u0661-{secret}"),
        *(group_feed_token_of(outsider, group), group_feed_token_of(outsider, other)),
    ]
    signed_in = Client()
    signed_in.force_login(member)
    for token in forged:
        for client in (Client(), signed_in):
            assert client.get(reverse("groups:feed", args=[group.slug, token])).status_code == 404
    assert Client().get(reverse("groups:feed", args=["none", group_feed_token_of(member, group)])).status_code == 404
    assert Client().get(address_of(group, staff)).status_code == 200


def test_an_address_ends_with_the_membership_the_password_and_the_account() -> None:
    group, member = a_group()
    address = address_of(group, member)
    member.set_password("another one of 2026")
    member.save()
    assert Client().get(address).status_code == 404
    address = address_of(group, member)
    assert Client().get(address).status_code == 200
    type(member).objects.filter(pk=member.pk).update(is_active=False)
    assert Client().get(address).status_code == 404
    type(member).objects.filter(pk=member.pk).update(is_active=True)
    group_member_leave(group=group, person=member)
    assert not GroupMember.objects.filter(person=member).exists()
    assert Client().get(address).status_code == 404


def test_it_takes_the_same_queries_however_many_contests_there_are(django_assert_max_num_queries: Any) -> None:
    group, member = a_group()
    for _ in range(3):
        fields: dict[str, Any] = {"audience": "group", "group": group}
        cup = in_state("finished")
        Tournament.objects.filter(pk=cup.pk).update(**fields)
        announce("tournament", cup.pk, "Hello")
        season_end(league=open_league(organiser=group.created_by, **fields))
    address = address_of(group, member)
    with django_assert_max_num_queries(20):
        assert len(entries(address)) == 15
