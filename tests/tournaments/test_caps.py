"""What a contest may ask of the workers: ranges by setting, and worker-hours by organiser."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from contests.caps import OverCap
from contests.models import OrganiserAllowance
from games.protocol import MIB, Limits
from leagues.models import League
from leagues.services import league_create
from matches.models import Match, MatchState
from tests.arena.factories import OrganiserFactory, UserFactory
from tests.arena.pages import assert_clean_page
from tests.leagues.test_permissions import typed as league_typed
from tests.matches.factories import MatchFactory
from tests.tournaments.factories import EntryFactory, TournamentFactory
from tests.tournaments.test_forms import typed
from tournaments.errors import EntryRefused, TooManyGames, TooMuchWork
from tournaments.models import Tournament, TournamentState
from tournaments.selectors.entering.editing import tournament_edit_basis
from tournaments.services import (
    StagePlan,
    entry_create,
    tournament_cancel,
    tournament_create,
    tournament_draft_update,
    tournament_start,
)
from tournaments.workload import UNMEASURED, workload_game_seconds, workload_of
from web.templatetags.numbers import tenths_up

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sent")]
OVER = [
    ({"limits": Limits(memory=1025 * MIB)}, "memory"),
    ({"limits": Limits(act_cpu=2.1)}, "act_cpu"),
    ({"limits": Limits(start_cpu=3.1)}, "start_cpu"),
    ({"limits": Limits(game_cpu=61)}, "game_cpu"),
    ({"min_action_ms": 1001}, "min_action_ms"),
]


@pytest.fixture(autouse=True)
def caps(settings):
    settings.BOT_MEMORY_MIB_MOST = 1024
    settings.BOT_ACTION_SECONDS_MOST = 2
    settings.BOT_START_SECONDS_MOST = 3
    settings.BOT_GAME_SECONDS_MOST = 60
    settings.MIN_ACTION_MS_MOST = 1000
    settings.BLOCKS_MOST = 20
    settings.WORKER_HOURS_MOST = 10


@pytest.fixture
def organiser(client):
    user = OrganiserFactory()
    client.force_login(user)
    return user


@pytest.mark.parametrize(("more", "field"), [*OVER, ({"stages": [StagePlan(blocks=21)]}, "blocks")])
def test_a_tournament_over_a_cap_is_refused_by_the_service(organiser, more, field):
    with pytest.raises(OverCap) as caught:
        tournament_create(organiser=organiser, name="Cup", ruleset="pickomino", **more)
    assert caught.value.field == field
    assert not Tournament.objects.exists()
    draft = tournament_create(organiser=organiser, name="Cup", ruleset="pickomino", entrants_most=4)
    described = {"name": "Cup", "ruleset": "pickomino", "stages": [StagePlan()], "options": {}, "limits": Limits()}
    with pytest.raises(OverCap):
        tournament_draft_update(tournament=draft, basis=tournament_edit_basis(draft), **described | more)


@pytest.mark.parametrize(("more", "field"), [*OVER, ({"blocks": 21}, "blocks")])
def test_a_league_over_a_cap_is_refused_by_the_service(organiser, more, field):
    with pytest.raises(OverCap) as caught:
        league_create(organiser=organiser, name="Coop", ruleset="pickomino", **more)
    assert caught.value.field == field
    assert not League.objects.exists()


@pytest.mark.parametrize(
    ("field", "value", "allowed"),
    [
        ("limit_memory", 1025, "1024"),
        ("limit_act_cpu", 2.1, "2"),
        ("limit_game_wall", 200, "125"),
        ("min_action_ms", 1001, "0 to 1000"),
        ("blocks", 21, "1 to 20"),
    ],
)
def test_the_forms_say_what_is_allowed_beside_the_field(client, organiser, field, value, allowed):
    for address, data in (("/tournaments/new/", typed()), ("/leagues/new/", league_typed())):
        if field == "min_action_ms" and "tournaments" in address:
            continue
        response = client.post(address, data | {field: value})
        assert response.status_code == 422, address
        assert allowed in str(response.context["form"].errors[field]), address


def test_defaults_above_a_cap_are_offered_as_the_cap(client, organiser, settings):
    settings.BOT_ACTION_SECONDS_MOST = 0
    settings.BOT_MEMORY_MIB_MOST = 256
    form = client.get("/tournaments/new/").context["form"]
    assert (form["limit_memory"].value(), form["limit_act_cpu"].value()) == (256, 0.001)
    assert client.post("/tournaments/new/", typed(entrants_most=8)).status_code == 302


def test_a_tournament_takes_as_many_bots_as_its_organiser_says():
    cup = TournamentFactory(entrants_most=2, entries=2)
    bot = EntryFactory().bot
    with pytest.raises(EntryRefused, match="takes 2 bots"):
        entry_create(tournament=cup, bot=bot, by=bot.owner)


def test_more_games_than_the_setting_allows_do_not_start(settings):
    settings.GAMES_MOST = 5
    with pytest.raises(TooManyGames, match="at most 5"):
        tournament_start(tournament=TournamentFactory(entries=4))


# --- worker-hours ----------------------------------------------------------------------------------------------------


def played(seconds, count=3):
    """Matches of one block at tables of two that took a worker so long."""
    now = timezone.now()
    for _ in range(count):
        match = MatchFactory(blocks=1)
        Match.objects.filter(pk=match.pk).update(
            state=MatchState.FINISHED,
            finished_at=now,
            blocks_played=1,
            duration_ms=seconds * 1000,
            ruleset="pickomino/1",
        )
        now -= timedelta(minutes=1)


def test_the_estimate_uses_the_length_of_recent_games():
    assert workload_game_seconds("pickomino") == UNMEASURED
    played(seconds=6)
    assert workload_game_seconds("pickomino") == 3
    assert workload_game_seconds("laghetti") == UNMEASURED


def test_the_hours_follow_from_format_entries_blocks_and_pace():
    played(seconds=7.2)
    cup = TournamentFactory(blocks=5, entrants_most=10)
    work = workload_of(cup)  # 45 matches of 10 games of 3.6 seconds
    assert (work.entries, work.games) == (10, 450)
    assert work.usual == pytest.approx(0.45)
    assert workload_of(cup, 4).usual == pytest.approx(0.06)
    cup.min_action_ms = 40  # 250 actions of at least 40 ms
    assert workload_of(cup).usual == pytest.approx(0.45 + 450 * 10 / 3600)
    assert work.most == pytest.approx(450 * 2 * (6 + 65) / 3600)


@pytest.fixture
def an_hour_a_game(monkeypatch):
    monkeypatch.setattr("tournaments.workload.workload_game_seconds", lambda _ruleset: 100.0)


LONG = {"ruleset": "pickomino", "stages": [StagePlan(blocks=10)], "entrants_most": 5}  # 200 games: 5.6 hours


@pytest.mark.usefixtures("an_hour_a_game")
def test_an_organisers_unfinished_tournaments_share_a_quota(organiser):
    first = tournament_create(organiser=organiser, name="One", **LONG)
    with pytest.raises(TooMuchWork) as caught:
        tournament_create(organiser=organiser, name="Two", **LONG)
    assert (round(caught.value.wanted, 1), round(caught.value.taken, 1), caught.value.allowed) == (5.6, 5.6, 10)
    assert Tournament.objects.get() == first
    tournament_create(organiser=OrganiserFactory(), name="Of another", **LONG)
    tournament_cancel(tournament=first)
    tournament_create(organiser=organiser, name="Two", **LONG)


@pytest.mark.usefixtures("an_hour_a_game")
def test_staff_has_no_quota_and_one_person_may_be_given_more(organiser):
    OrganiserAllowance.objects.create(person=organiser, worker_hours=12)
    staff = UserFactory(is_staff=True)
    for who in (organiser, staff):
        for name in ("One", "Two"):
            tournament_create(organiser=who, name=name, **LONG)
    tournament_create(organiser=staff, name="Three", **LONG)
    with pytest.raises(TooMuchWork):
        tournament_create(organiser=organiser, name="Three", **LONG)


@pytest.mark.usefixtures("an_hour_a_game")
def test_the_start_counts_the_bots_that_are_there(client, organiser, settings):
    settings.WORKER_HOURS_MOST = 4
    for entries, started in ((5, False), (4, True)):  # 200 games and 120, of 100 seconds
        cup = TournamentFactory(organiser=organiser, blocks=10, entries=entries, entrants_most=5)
        response = client.post(reverse("tournaments:act", args=[cup.slug, "start"]))
        assert (response.status_code == 302) == started
        cup.refresh_from_db()
        assert (cup.state == TournamentState.RUNNING) == started
        if not started:
            assert "worker-hours" in response.content.decode()
            tournament_cancel(tournament=cup)


@pytest.mark.usefixtures("an_hour_a_game")
def test_the_form_keeps_what_was_typed_and_says_why(client, organiser):
    response = client.post("/tournaments/new/", typed(blocks=20, entrants_most=30))
    assert response.status_code == 422
    assert_clean_page(response)
    assert "you may have 10.0 at a time" in response.content.decode()


@pytest.mark.usefixtures("an_hour_a_game")
def test_the_form_shows_the_hours_before_the_tournament_is_created(client, organiser):
    address = reverse("tournaments:estimate")
    text = client.post(address, typed(name="", blocks=10, entrants_most=5)).content.decode()
    assert "About 5.6 worker-hours with 5 bots" in text
    assert "200 games" in text
    assert "take 0.0 of the 10" in " ".join(text.split())
    assert not Tournament.objects.exists()
    assert "once the form is complete" in client.post(address, typed(blocks="many")).content.decode()
    assert (
        f'<workload-estimate id="workload" class="stack" aria-live="polite" src="{address}">'
        in client.get("/tournaments/new/").content.decode()
    )
    client.force_login(UserFactory())
    assert client.post(address, typed()).status_code == 403


def test_a_small_tournament_is_not_estimated_at_zero():
    assert [tenths_up(hours) for hours in (0, 0.003, 0.1, 0.3, 5.5556, 1200, None)] == [
        *("0.0", "0.1", "0.1", "0.3", "5.6", "1200.0", "")
    ]


@pytest.mark.usefixtures("an_hour_a_game")
def test_the_page_and_the_api_show_the_hours(client, organiser):
    cup = tournament_create(organiser=organiser, name="One", **LONG)
    assert "about 5.6 worker-hours with 5 bots" in client.get(cup_page(cup)).content.decode()
    Tournament.objects.filter(pk=cup.pk).update(state=TournamentState.OPEN)
    answer = client.get(reverse("api-tournaments:detail", args=[cup.slug])).json()
    assert (answer["worker_hours"], answer["entrants_most"]) == (pytest.approx(5.556), 5)


def cup_page(cup):
    return reverse("tournaments:detail", args=[cup.slug])
