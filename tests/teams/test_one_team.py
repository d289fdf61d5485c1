"""A person plays for one team in a tournament, and who was in a team is stored when entries are frozen."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from leagues.errors import JoinRefused
from leagues.models import League, Membership, MembershipState
from leagues.services import league_bot_join, league_edit
from teams import services
from teams.models import Team, TeamMember
from tests.arena.factories import UserFactory
from tests.bots.factories import BotVersionFactory
from tests.leagues.factories import LeagueFactory, open_league
from tests.teams.factories import team_of
from tests.tournaments.factories import TournamentFactory
from tournaments.errors import EntryRefused
from tournaments.models import Entry, TeamPlayer, Tournament
from tournaments.services import entry_create, tournament_lock, tournament_reopen

pytestmark = pytest.mark.django_db


def enter(cup: Tournament, owner: Any, by: Any) -> Entry:
    bot = BotVersionFactory.create(bot__owner=owner).bot
    return entry_create(tournament=cup, bot=bot, by=by)


def players(cup: Tournament) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for team, person in TeamPlayer.objects.filter(tournament=cup).values_list("team", "person"):
        found.setdefault(team, set()).add(person)
    return found


@pytest.fixture
def hens() -> list[Any]:
    return [UserFactory() for _ in range(4)]


@pytest.fixture
def cup() -> Tournament:
    return TournamentFactory(entries_per_author=2)


def test_nobody_enters_for_two_teams_or_alone_beside_one(cup: Tournament, hens: list[Any]) -> None:
    one, other = team_of(hens[0], hens[1]), team_of(hens[1], hens[2])
    enter(cup, one.account, hens[0])
    enter(cup, one.account, hens[1])  # a second bot of the same team
    for owner, by in ((other.account, hens[2]), (other.account, hens[1]), (hens[1], hens[1])):
        with pytest.raises(EntryRefused) as refused:
            enter(cup, owner, by)
        assert refused.value.code == "team"
    enter(cup, hens[3], hens[3])
    own = TournamentFactory()
    enter(own, hens[1], hens[1])
    with pytest.raises(EntryRefused):
        enter(own, one.account, hens[0])


def test_the_members_of_the_team_are_frozen_and_shown(cup: Tournament, hens: list[Any]) -> None:
    team = team_of(hens[0], hens[1])
    enter(cup, team.account, hens[0])
    enter(cup, hens[3], hens[3])
    assert players(cup) == {}
    tournament_lock(tournament=cup)
    assert players(cup) == {team.pk: {hens[0].pk, hens[1].pk}}
    services.team_member_leave(team=team, person=hens[1])
    TeamMember.objects.create(team=team, person=hens[2])
    assert players(cup) == {team.pk: {hens[0].pk, hens[1].pk}}
    page = Client().get(reverse("tournaments:detail", args=[cup.slug])).content.decode()
    assert f"({hens[0].username}, {hens[1].username})" in page
    cup.refresh_from_db()
    tournament_reopen(tournament=cup)
    cup.refresh_from_db()
    tournament_lock(tournament=cup)
    assert players(cup) == {team.pk: {hens[0].pk, hens[2].pk}}


def test_a_member_of_two_teams_plays_for_the_first_that_entered(cup: Tournament, hens: list[Any]) -> None:
    one, other, third = team_of(hens[0]), team_of(hens[1]), team_of(hens[2])
    entries = [enter(cup, team.account, hen) for team, hen in zip((one, other, third), hens, strict=False)]
    enter(cup, hens[3], hens[3])
    for team, hen in ((other, hens[0]), (third, hens[1]), (third, hens[3]), (one, hens[2])):
        TeamMember.objects.create(team=team, person=hen)
    tournament_lock(tournament=cup)
    assert players(cup) == {one.pk: {hens[0].pk, hens[2].pk}, other.pk: {hens[1].pk}}
    assert [Entry.objects.get(pk=entry.pk).is_withdrawn for entry in entries] == [False, False, True]
    with pytest.raises(IntegrityError), transaction.atomic():
        TeamPlayer.objects.create(tournament=cup, team=Team.objects.get(pk=third.pk), person=hens[0])


def test_a_team_that_is_too_large_does_not_enter_and_who_joins_a_full_one_does_not_play(hens: list[Any]) -> None:
    cup = TournamentFactory(team_size=2)
    large, small = team_of(hens[0], hens[1], hens[2]), team_of(hens[3])
    with pytest.raises(EntryRefused) as refused:
        enter(cup, large.account, hens[0])
    assert (refused.value.code, refused.value.status) == ("team_size", 409)
    assert str(refused.value) == "A team has at most 2 people in this tournament."
    enter(cup, small.account, hens[3])
    services.team_member_leave(team=large, person=hens[2])
    enter(cup, large.account, hens[0])
    late = UserFactory()
    for person in (hens[2], late):
        TeamMember.objects.create(team=small, person=person)
    tournament_lock(tournament=cup)
    assert players(cup) == {large.pk: {hens[0].pk, hens[1].pk}, small.pk: {hens[3].pk, hens[2].pk}}
    page = Client().get(reverse("tournaments:detail", args=[cup.slug])).content.decode()
    assert "People per team" in page


def test_a_bot_that_its_organiser_enters_is_of_no_larger_team_either(hens: list[Any]) -> None:
    cup = TournamentFactory(team_size=1)
    bot = BotVersionFactory.create(bot__owner=team_of(hens[0], hens[1]).account, bot__organisers_may_enter=True).bot
    with pytest.raises(EntryRefused) as refused:
        entry_create(tournament=cup, bot=bot, by=cup.organiser)
    assert refused.value.code == "team_size"


def join(league: League, owner: Any, by: Any) -> Membership:
    bot = BotVersionFactory.create(bot__owner=owner).bot
    return league_bot_join(league=league, bot=bot, by=by)


def test_a_team_that_is_too_large_joins_no_league_and_one_that_grows_stays(hens: list[Any]) -> None:
    league = open_league(team_size=2, bots_per_author=2)
    large, small = team_of(hens[0], hens[1], hens[2]), team_of(hens[3])
    with pytest.raises(JoinRefused) as refused:
        join(league, large.account, hens[0])
    assert (refused.value.code, refused.value.status) == ("team_size", 409)
    assert str(refused.value) == "A team has at most 2 people in this league."
    services.team_member_leave(team=large, person=hens[2])
    join(league, large.account, hens[0])
    member = join(league, small.account, hens[3])
    join(league, hens[2], hens[2])
    for person in hens[:2]:
        TeamMember.objects.create(team=small, person=person)
    member.refresh_from_db()
    assert member.state == MembershipState.ACTIVE
    with pytest.raises(JoinRefused):
        join(league, small.account, hens[3])
    page = Client().get(reverse("leagues:detail", args=[league.slug])).content.decode()
    assert "People per team" in page
    join(league_edit(league=league, team_size=None), small.account, hens[3])
    assert "People per team" not in Client().get(reverse("leagues:detail", args=[league.slug])).content.decode()
    with pytest.raises(IntegrityError), transaction.atomic():
        LeagueFactory(team_size=0)
