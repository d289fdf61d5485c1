"""Founding, joining, leaving and ending a team."""

import random
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from arena.accounts.backends import SpellingBackend
from arena.accounts.deletion import account_delete
from arena.accounts.models import User
from bots.deletion import deleted_bots_account
from bots.models import Bot
from teams import services
from teams.errors import (
    BadTeamName,
    NotTheCaptain,
    NoWayIntoTeam,
    TeamFull,
    TeamNameTaken,
    TooManyTeamLinks,
    TooManyTeams,
)
from teams.models import Team, TeamAct, TeamChange, TeamInvitation, TeamMember
from teams.selectors import (
    acts_for_owner,
    may_lead_team,
    team_owners_by_key,
    team_owners_of,
    team_people_behind,
    team_people_of,
    teams_of,
)
from tests.arena.factories import OrganiserFactory, UserFactory
from tests.bots.factories import BotVersionFactory
from tests.racing import at_once, on_postgres
from tests.teams.factories import team_of
from web.errors import Refusal
from web.invitations import invitation_token_digests

pytestmark = pytest.mark.django_db


def link_into(team: Team, uses: int = 5) -> str:
    captain = TeamMember.objects.get(team=team, is_captain=True).person
    return services.team_link_create(team=team, by=captain, uses=uses, days=7)[1]


def join(person: Any, token: str) -> TeamMember:
    return services.team_member_join(person=person, digests=invitation_token_digests(token))


def owners(user: Any) -> set[int]:
    return set(User.objects.filter(pk__in=team_owners_of(user)).values_list("pk", flat=True))


def test_who_acts_for_whom() -> None:
    captain, member, other = (UserFactory() for _ in range(3))
    team = team_of(captain, member)
    people = [AnonymousUser(), other, member, captain]
    assert [acts_for_owner(person, team.pk) for person in people] == [False, False, True, True]
    assert [acts_for_owner(person, captain.pk) for person in people] == [False, False, False, True]
    assert [owners(person) for person in people] == [
        set(),
        {other.pk},
        {member.pk, team.pk},
        {captain.pk, team.pk},
    ]
    assert [may_lead_team(person, team) for person in (*people, UserFactory(is_staff=True))] == [
        *(False, False, False, True, True),
    ]
    assert team_people_behind([captain.pk, team.pk, other.pk, None]) == {captain.pk, member.pk, other.pk}
    assert team_people_of(team.account) == [captain, member]
    assert team_people_of(captain) == [captain]
    services.team_member_leave(team=team, person=member)
    assert not acts_for_owner(member, team.pk)
    assert owners(member) == {member.pk}


def test_a_user_without_a_team_costs_no_query(django_assert_num_queries: Any) -> None:
    alone = SpellingBackend().get_user(UserFactory().pk)
    assert alone is not None
    bot = BotVersionFactory.create().bot
    with django_assert_num_queries(0):
        assert not acts_for_owner(alone, bot.owner_id)
        assert team_owners_of(alone) == [alone.pk]
        assert team_people_of(alone) == [alone]
    with django_assert_num_queries(1):
        assert not Bot.objects.filter(owner__in=team_owners_by_key(alone.pk)).exists()


def test_nobody_signs_in_as_a_team(client: Client) -> None:
    team = team_of(UserFactory(), name="The Hens")
    account = User.objects.get(pk=team.pk)
    assert (account.username, account.email, account.is_active) == ("The Hens", "", False)
    assert not account.has_usable_password()
    assert authenticate(None, username="The Hens", password="") is None
    assert SpellingBackend().get_user(account.pk) is None
    changes = [{"is_active": True}, {"email": "hens@example.org"}, {"is_staff": True}, {"is_organiser": True}]
    for change in changes:
        with pytest.raises(IntegrityError), transaction.atomic():
            User.objects.filter(pk=account.pk).update(**change)
    staff = UserFactory(is_staff=True, is_superuser=True)
    client.force_login(staff, backend="arena.accounts.backends.SpellingBackend")
    assert "The Hens" not in client.get(reverse("admin:accounts_user_changelist")).content.decode()
    assert client.get(reverse("admin:accounts_user_change", args=[account.pk])).status_code == 302


@pytest.mark.parametrize(
    "name",
    [
        "",
        " Hens",
        "Hens ",
        "The  Hens",
        "hens@example.org",
        "<b>Hens</b>",
        "H\N{RIGHT-TO-LEFT OVERRIDE}ens",
        "H" * 31,
        "-x",
    ],
)
def test_names_that_a_team_cannot_have(name: str) -> None:
    with pytest.raises(BadTeamName):
        services.team_create(by=UserFactory(), name=name)


def test_a_team_and_a_person_are_never_called_alike() -> None:
    person, organiser = UserFactory(username="Gallus"), OrganiserFactory(username="Emma")
    for name in ("Gallus", "gallus", "GALLUS"):
        with pytest.raises(TeamNameTaken):
            services.team_create(by=person, name=name)
    for name in ("Emma", "Ernma", "Organiser"):  # looks like somebody who has a say
        with pytest.raises(Refusal):
            services.team_create(by=person, name=name)
    team_of(person, name="Coop")
    with pytest.raises(TeamNameTaken):
        services.team_create(by=organiser, name="coop")
    with pytest.raises(ValidationError):
        User(username="COOP", email="x@example.org").clean()
    assert len({team_of(UserFactory(), name=name).slug for name in ("A b", "A-b", "A.b")}) == 3


def test_a_link_has_a_limit_of_uses_and_is_stored_as_a_digest() -> None:
    team = team_of(UserFactory())
    token = link_into(team, uses=2)
    assert token not in str(list(TeamInvitation.objects.values()))
    hens = [UserFactory() for _ in range(3)]
    for hen in hens[:2]:
        assert join(hen, token).team == team
        assert join(hen, f"https://x.example.org/teams/join/{token}/").person_id == hen.pk  # uses nothing up
    with pytest.raises(NoWayIntoTeam):
        join(hens[2], token)
    assert [acts_for_owner(hen, team.pk) for hen in hens] == [True, True, False]
    rows = TeamChange.objects.filter(team=team).values_list("person", "by", "act").order_by("pk")
    assert list(rows)[1:] == [(hen.pk, hen.pk, TeamAct.JOINED) for hen in hens[:2]]


@pytest.mark.parametrize("how", ["expired", "revoked", "dissolved", "guessed"])
def test_a_link_that_does_not_hold_lets_nobody_in(how: str) -> None:
    captain = UserFactory()
    team = team_of(captain)
    link, token = services.team_link_create(team=team, by=captain, uses=5, days=7)
    if how == "expired":
        TeamInvitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    elif how == "revoked":
        assert services.team_link_revoke(team=team, link_id=link.pk, by=captain)
        assert not services.team_link_revoke(team=team, link_id=link.pk, by=captain)
    elif how == "dissolved":
        services.team_member_leave(team=team, person=captain)
    else:
        token += "x"
    with pytest.raises(NoWayIntoTeam):
        join(UserFactory(), token)


def test_there_is_an_end_to_teams_members_and_links(monkeypatch: pytest.MonkeyPatch) -> None:
    captain = UserFactory()
    teams = [team_of(captain) for _ in range(5)]
    with pytest.raises(TooManyTeams):
        team_of(captain)
    elsewhere = team_of(UserFactory())
    with pytest.raises(TooManyTeams):
        join(captain, link_into(elsewhere))
    services.team_member_leave(team=teams[0], person=captain)
    join(captain, link_into(elsewhere))
    monkeypatch.setattr("teams.services.MEMBERS_MOST", 2)
    with pytest.raises(TeamFull):
        join(UserFactory(), link_into(elsewhere))
    monkeypatch.setattr("teams.services.LINKS_MOST", 1)
    link_into(teams[1])
    with pytest.raises(TooManyTeamLinks):
        link_into(teams[1])


def test_the_captain_alone_lets_people_in_and_out() -> None:
    captain, member, other, staff = UserFactory(), UserFactory(), UserFactory(), UserFactory(is_staff=True)
    team = team_of(captain, member)
    link, _token = services.team_link_create(team=team, by=captain, uses=1, days=1)
    for by in (member, other):
        with pytest.raises(NotTheCaptain):
            services.team_link_create(team=team, by=by, uses=1, days=1)
        with pytest.raises(NotTheCaptain):
            services.team_link_revoke(team=team, link_id=link.pk, by=by)
        with pytest.raises(NotTheCaptain):
            services.team_member_remove(team=team, person_id=captain.pk, by=by)
        with pytest.raises(NotTheCaptain):
            services.team_captain_set(team=team, person_id=member.pk, by=by)
    assert not services.team_captain_set(team=team, person_id=other.pk, by=captain)
    assert services.team_captain_set(team=team, person_id=member.pk, by=captain)
    with pytest.raises(NotTheCaptain):
        services.team_member_remove(team=team, person_id=member.pk, by=captain)
    assert services.team_member_remove(team=team, person_id=captain.pk, by=member)
    assert not services.team_member_remove(team=team, person_id=captain.pk, by=staff)
    assert list(TeamMember.objects.filter(team=team).values_list("person", "is_captain")) == [(member.pk, True)]


def test_the_last_one_out_ends_the_team_and_its_bots() -> None:
    captain, member = UserFactory(), UserFactory()
    team = team_of(captain, member)
    bot = BotVersionFactory.create(bot__owner=team.account).bot
    own = BotVersionFactory.create(bot__owner=captain).bot
    assert services.team_member_leave(team=team, person=captain)
    assert not services.team_member_leave(team=team, person=captain)
    assert TeamMember.objects.get(team=team).is_captain
    assert services.team_member_leave(team=team, person=member)
    assert not services.team_member_leave(team=team, person=member)
    bot.refresh_from_db()
    own.refresh_from_db()
    assert (bot.owner_id, bot.deleted_at is None) == (deleted_bots_account().pk, False)
    assert own.deleted_at is None
    assert not User.objects.filter(pk=team.pk).exists()


def test_a_deleted_account_leaves_its_teams() -> None:
    captain, member = UserFactory(), UserFactory()
    team, alone = team_of(captain, member), team_of(captain)
    bot = BotVersionFactory.create(bot__owner=team.account).bot
    account_delete(person=captain)
    bot.refresh_from_db()
    assert (bot.owner_id, bot.deleted_at) == (team.pk, None)
    assert TeamMember.objects.get(team=team).person_id == member.pk
    assert TeamMember.objects.get(team=team).is_captain
    assert not Team.objects.filter(pk=alone.pk).exists()


@pytest.mark.parametrize("seed", range(12))
def test_a_team_has_one_captain_whatever_happens(seed: int) -> None:
    """Also when somebody may not sign in: they are captain only while there is nobody else."""
    chance = random.Random(seed)
    hens = [UserFactory(is_active=number % 3 != 2) for number in range(6)]
    team = team_of(hens[0])
    token = link_into(team, uses=50)
    for _ in range(30):
        hen = chance.choice(hens)
        captain = TeamMember.objects.get(team=team, is_captain=True).person
        act = chance.choice(("join", "leave", "remove", "captain"))
        if act == "join":
            join(hen, token)
        elif act == "leave":
            services.team_member_leave(team=team, person=hen)
        elif captain.is_active:
            (services.team_member_remove if act == "remove" else services.team_captain_set)(
                team=team, person_id=hen.pk, by=captain
            )
        if not Team.objects.filter(pk=team.pk).exists():
            assert not TeamMember.objects.exists()
            assert not User.objects.filter(is_team=True).exists()
            return
        assert TeamMember.objects.filter(team=team, is_captain=True).count() == 1


def test_the_teams_of_somebody(django_assert_num_queries: Any) -> None:
    hen = UserFactory()
    team_of(hen, UserFactory(), name="B")
    team_of(hen, name="A")
    team_of(UserFactory())
    with django_assert_num_queries(1):
        assert [(team.name, team.member_count) for team in teams_of(hen)] == [("A", 1), ("B", 2)]  # type: ignore[attr-defined]
    assert not teams_of(AnonymousUser())


@on_postgres
@pytest.mark.django_db(transaction=True)
def test_one_of_two_simultaneous_joins_gets_the_last_place() -> None:
    hen = UserFactory()
    teams = [team_of(UserFactory()) for _ in range(4)]
    tokens = [link_into(team) for team in teams]
    for _ in range(3):
        team_of(hen)

    def act(number: int) -> str:
        try:
            join(hen, tokens[number])
        except TooManyTeams:
            return "too many"
        return "in"

    assert sorted(at_once(act, 4)) == ["in", "in", "too many", "too many"]
