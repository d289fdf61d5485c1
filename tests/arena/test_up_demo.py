"""The demo: the same however often, and wherever, it was interrupted."""

from collections.abc import Callable
from copy import deepcopy
from datetime import timedelta

import pytest
from django.utils import timezone

from arena.accounts.models import User
from arena.demo import (
    CUPS,
    Unsettled,
    demo_account_ensure,
    demo_cup_ensure,
    demo_cup_entrants,
    demo_group_ensure,
    demo_house_bots_ensure,
    demo_house_bots_settle,
    demo_house_bots_waiting,
    demo_series_ensure,
    demo_team_bots_ensure,
    demo_team_cup_ensure,
)
from arena.watch.timetable import timetable_coming_events
from bots.checks import version_check_accept, version_check_begin, version_check_refuse
from bots.models import Bot, BotVersion
from games.catalogue import GAMES, current
from games.game import Cup
from groups.selectors import group_invitation_of_digests
from matches.models import Match, MatchState
from teams.models import Team
from tournaments.models import Round, Stage, Tournament, TournamentState
from tournaments.services import tournament_cancel, tournament_create
from tournaments.services.sweep import tournaments_start_due
from web.invitations import invitation_token_digests

pytestmark = [pytest.mark.django_db, pytest.mark.processes]
BOTS = sum(len(game.house_bots) for game in GAMES.values())


@pytest.fixture(scope="module")
def module_house(module_rows: None) -> User:
    """With every house bot uploaded."""
    demo_house_bots_ensure(house=demo_account_ensure())
    return demo_account_ensure()


@pytest.fixture
def house(module_house: User) -> User:
    return deepcopy(module_house)


def judge(versions: list[BotVersion], verdict: Callable[..., bool] = version_check_accept) -> None:
    for version in versions:
        attempt = version_check_begin(version_id=version.pk)
        assert attempt is not None
        assert verdict(version_id=version.pk, attempt=attempt, report={})


def accepted(house: User, ruleset: str) -> list[Bot]:
    """The house bots of a game, past their check."""
    versions = [version for version in demo_house_bots_ensure(house=house) if version.bot.game == ruleset]
    judge(versions)
    return demo_house_bots_settle(versions)


@pytest.fixture
def bots(house: User) -> list[Bot]:
    """Those of the game that the first cup plays."""
    return accepted(house, CUPS[0].game)


def test_nobody_can_sign_in_as_the_house(house: User) -> None:
    assert not house.has_usable_password()
    assert demo_account_ensure() == house


def test_each_house_bot_is_uploaded_once_under_its_own_name(house: User) -> None:
    first = demo_house_bots_ensure(house=house)
    assert demo_house_bots_ensure(house=house) == first
    assert BotVersion.objects.count() == Bot.objects.filter(owner=house, is_house=True).count() == BOTS
    assert demo_house_bots_waiting(first)


def test_accepted_house_bots_play_with_the_version_that_ships(house: User, bots: list[Bot]) -> None:
    assert len(bots) == len(GAMES[CUPS[0].game].house_bots)
    assert {bot.current for bot in bots} <= set(demo_house_bots_ensure(house=house))


def test_a_house_bot_that_was_refused_is_named(house: User) -> None:
    versions = demo_house_bots_ensure(house=house)
    judge(versions, version_check_refuse)
    with pytest.raises(Unsettled, match=versions[0].bot.name):
        demo_house_bots_settle(versions)


@pytest.mark.parametrize("cup", CUPS, ids=lambda cup: cup.name)
def test_a_cup_is_under_way_or_open_at_once_and_only_once(cup: Cup, house: User) -> None:
    bots = accepted(house, cup.game)
    tournament = demo_cup_ensure(cup=cup, organiser=house, bots=bots)
    assert tournament.state == (TournamentState.OPEN if cup.entry_days else TournamentState.RUNNING)
    assert tournament.fixtures.exists() != bool(cup.entry_days)
    assert demo_cup_ensure(cup=cup, organiser=house, bots=bots) == tournament
    assert Tournament.objects.count() == 1


def test_a_cup_that_was_interrupted_while_bots_entered_goes_on(house: User, bots: list[Bot]) -> None:
    cup = CUPS[0]
    tournament = demo_cup_ensure(cup=cup, organiser=house, bots=bots)
    Round.objects.all().delete()
    Stage.objects.update(started_at=None, drawn=0)
    Tournament.objects.update(state=TournamentState.OPEN)
    tournament.entries.last().delete()
    again = demo_cup_ensure(cup=cup, organiser=house, bots=bots)
    assert again == tournament
    entered = len(demo_cup_entrants(cup))
    assert again.entries.count() == entered
    assert again.fixtures.count() == entered * (entered - 1) / 2


def test_after_a_cup_is_over_the_next_one_is_numbered(house: User, bots: list[Bot]) -> None:
    cup = CUPS[0]
    tournament_cancel(tournament=demo_cup_ensure(cup=cup, organiser=house, bots=bots))
    second = demo_cup_ensure(cup=cup, organiser=house, bots=bots)
    assert second.name == f"{cup.name} #2"
    assert second.state == TournamentState.RUNNING


def test_every_game_has_a_cup_and_the_quick_one_of_dice_comes_first() -> None:
    assert {cup.game for cup in CUPS} == set(GAMES)
    assert CUPS[0].name == "Backyard Cup"
    assert not CUPS[0].tempo
    assert [cup.name for cup in CUPS if cup.tempo] == ["Barnyard Swiss", "Long Table", "Grill Premiere"]


def test_every_cup_plays_a_game_that_has_enough_house_bots_for_it() -> None:
    for cup in CUPS:
        assert cup.seats in current(cup.game).seats
        assert cup.seats <= len(demo_cup_entrants(cup))
        assert set(cup.bots) <= {bot.name for bot in GAMES[cup.game].house_bots}


def test_there_is_a_swiss_of_eight_at_tables_of_four_and_a_knockout() -> None:
    kinds = {cup.format: cup for cup in CUPS}
    assert (kinds["swiss"].seats, len(demo_cup_entrants(kinds["swiss"]))) == (4, 8)
    assert len(demo_cup_entrants(kinds["single_elimination"])) == 8


def test_a_tournament_of_the_same_name_by_someone_else_is_left_alone(house: User, bots: list[Bot]) -> None:
    fox = User.objects.create_user("fox", is_organiser=True)
    theirs = tournament_create(organiser=fox, name=CUPS[0].name, ruleset=CUPS[0].game)
    ours = demo_cup_ensure(cup=CUPS[0], organiser=house, bots=bots)
    assert ours != theirs
    theirs.refresh_from_db()
    assert theirs.state == TournamentState.DRAFT


def test_a_premiere_is_played_before_its_time_and_stays_hidden(house: User, bots: list[Bot]) -> None:
    cup = next(cup for cup in CUPS if cup.premiere_minutes)
    tournament = demo_cup_ensure(cup=cup, organiser=house, bots=bots)
    (match,) = Match.objects.filter(fixture__round__tournament=tournament)
    assert match.premieres_at is not None
    assert timedelta(minutes=cup.premiere_minutes - 1) < match.premieres_at - timezone.now()
    assert match.sealed
    assert match.state == MatchState.QUEUED
    assert [one.address for one in timetable_coming_events()] == [f"/matches/{match.pk}/"]


def test_anybody_may_enter_one_cup_which_starts_by_itself(house: User, bots: list[Bot]) -> None:
    [cup] = [cup for cup in CUPS if cup.entry_days]
    tournament = demo_cup_ensure(cup=cup, organiser=house, bots=bots)
    assert tournament.takes_entries
    assert tournament.entries.count() == len(demo_cup_entrants(cup)) < tournament.entrants_most
    Tournament.objects.update(first_round_at=timezone.now())
    tournaments_start_due()
    tournament.refresh_from_db()
    assert tournament.state == TournamentState.RUNNING
    assert demo_cup_ensure(cup=cup, organiser=house, bots=bots) == tournament


def test_creating_the_series_of_each_game_is_idempotent(house: User, bots: list[Bot]) -> None:
    cup = CUPS[0]
    first = demo_cup_ensure(cup=cup, organiser=house, bots=bots)
    made = demo_series_ensure(organiser=house)
    assert [one.game for one in made] == [name for name, game in GAMES.items() if game.cups]
    tournament_cancel(tournament=first)
    second = demo_cup_ensure(cup=cup, organiser=house, bots=bots)
    assert [one.pk for one in demo_series_ensure(organiser=house)] == [one.pk for one in made]
    events = made[0].events.values_list("tournament", flat=True)
    assert set(events) == {first.pk, second.pk}


def test_creating_the_class_with_its_code_teams_and_cup_is_idempotent(house: User, bots: list[Bot]) -> None:
    group, code = demo_group_ensure(owner=house)
    versions = demo_team_bots_ensure()
    judge(versions)
    demo_house_bots_settle(versions)
    cup = demo_team_cup_ensure(owner=house, group=group, versions=versions)
    assert (cup.state, cup.group, cup.entries.count()) == (TournamentState.RUNNING, group, 4)
    assert group_invitation_of_digests(invitation_token_digests(code)).group == group  # type: ignore[union-attr]
    assert {member.person.has_usable_password() for member in group.members.all()} == {False}
    assert demo_group_ensure(owner=house) == (group, "")
    assert demo_team_bots_ensure() == versions
    assert demo_team_cup_ensure(owner=house, group=group, versions=versions) == cup
    assert Team.objects.count() == 2
