"""Every move of a tournament: what it does, that it does it once, and what it refuses."""

from itertools import pairwise

import pytest

from bots.models import BotVersion, VersionState
from games.dealer import block_seed
from games.protocol import Limits
from games.ruleset import OptionError, SeatError
from matches.models import Match, MatchState, Seat
from tests.arena.factories import OrganiserFactory
from tests.bots.factories import BotVersionFactory
from tests.tournaments.factories import (
    EntryFactory,
    TournamentFactory,
    finish_matches,
    in_state,
    running_tournament,
)
from tournaments import services
from tournaments.errors import EditStale, TooFewEntries, TooManyGames, UnknownTempo, WrongState
from tournaments.models import Fixture, Tournament, TournamentState
from tournaments.selectors.entering.editing import tournament_edit_basis
from tournaments.selectors.standings.ranking import standings_of
from tournaments.services import StagePlan
from tournaments.standings import TieBreakError
from tournaments.tasks import tournament_match_finished_task, tournaments_tend_task

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sent")]

State = TournamentState
MOVES = {
    "open": (services.tournament_open, [State.DRAFT], State.OPEN),
    "lock": (services.tournament_lock, [State.OPEN], State.LOCKED),
    "start": (services.tournament_start, [State.OPEN, State.LOCKED], State.RUNNING),
    "pause": (services.tournament_pause, [State.RUNNING], State.PAUSED),
    "resume": (services.tournament_resume, [State.PAUSED], State.RUNNING),
}


@pytest.fixture
def announced(monkeypatch):
    """Topics announced."""
    topics = []
    monkeypatch.setattr("tournaments.services.transitions.hub_announce", lambda topic, **_: topics.append(topic))
    return topics


def create(**fields):
    return services.tournament_create(
        organiser=OrganiserFactory(), **{"name": "Spring Cup", "ruleset": "pickomino", **fields}
    )


SHORT = {"short_variant": "returned_facedown_only"}


# --- drafting --------------------------------------------------------------------------------------------------------


def test_a_new_tournament_is_a_draft_with_a_secret_and_complete_options_and_limits():
    cup, other = create(), create()
    assert (cup.state, cup.ruleset, cup.slug, other.slug) == ("draft", "pickomino/1", "spring-cup", "spring-cup-2")
    assert len(bytes(cup.luck.secret)) == 32
    assert bytes(cup.luck.secret) != bytes(other.luck.secret)
    assert cup.limits == Limits().to_dict()
    assert cup.options["steal"] == "optional"
    assert cup.tie_breaks[-1] == "lot"


@pytest.mark.parametrize("name", ["new", "???", "鶏", "x" * 80])
def test_every_name_gets_an_address_of_its_own(client, name):
    slugs = {create(name=name).slug for _ in range(3)}
    assert len(slugs) == 3
    assert not slugs & {"", "new"}


def test_a_game_that_is_not_played_so_is_refused_and_nothing_is_written():
    for fields, error in [
        ({"stages": [StagePlan(players_per_table=8)]}, SeatError),
        ({"options": {"steal": "always"}}, OptionError),
        ({"options": SHORT, "stages": [StagePlan(players_per_table=4)]}, OptionError),
        ({"tie_breaks": ["buchhloz"]}, TieBreakError),
        ({"ruleset": "chess"}, LookupError),
        ({"tempo": "slow"}, UnknownTempo),
    ]:
        with pytest.raises(error):
            create(**fields)
    assert not Tournament.objects.exists()
    assert create(options=SHORT, stages=[StagePlan(players_per_table=5)]).options.items() >= SHORT.items()


def test_all_can_be_rewritten_until_the_first_bot_is_in():
    cup = create()
    fields = {"name": "Summer Cup", "ruleset": "pickomino", "options": {}, "limits": Limits()}
    fields["stages"] = [StagePlan(players_per_table=4)]
    services.tournament_draft_update(tournament=cup, basis=tournament_edit_basis(cup), **fields)
    cup.refresh_from_db()
    assert (cup.name, cup.slug, cup.stage.players_per_table) == ("Summer Cup", "spring-cup", 4)
    services.tournament_open(tournament=cup)
    cup.refresh_from_db()
    services.tournament_draft_update(
        tournament=cup, basis=tournament_edit_basis(cup), **fields | {"name": "Winter Cup"}
    )
    EntryFactory.create_batch(3, tournament=cup)
    cup.refresh_from_db()
    with pytest.raises(EditStale):
        services.tournament_draft_update(
            tournament=cup, basis=tournament_edit_basis(cup), **fields | {"name": "Autumn Cup"}
        )
    cup.refresh_from_db()
    assert cup.name == "Winter Cup"


# --- moves -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "origin"), [(name, origin) for name in MOVES for origin in MOVES[name][1]])
def test_a_move_from_the_right_state_works_once(name, origin):
    service, origins, target = MOVES[name]
    cup = in_state(origin)
    assert service(tournament=cup).state == target
    counts = Match.objects.count(), Fixture.objects.count()
    with pytest.raises(WrongState) as refused:
        service(tournament=cup)
    assert (refused.value.state, refused.value.needed) == (target, set(origins))
    assert (Match.objects.count(), Fixture.objects.count()) == counts


@pytest.mark.parametrize("state", State)
def test_a_move_from_any_other_state_is_refused_and_changes_nothing(state):
    cup = in_state(state)
    before = list(Match.objects.order_by("pk").values())
    for name, (service, origins, _) in MOVES.items():
        if state in origins:
            continue
        with pytest.raises(WrongState, match="Reload"):
            service(tournament=cup)
        cup.refresh_from_db()
        assert cup.state == state, name
        assert list(Match.objects.order_by("pk").values()) == before, name


@pytest.mark.parametrize("state", State)
def test_cancelling_is_for_what_has_not_ended(state):
    cup = in_state(state)
    if state in (State.FINISHED, State.CANCELLED):
        with pytest.raises(WrongState):
            services.tournament_cancel(tournament=cup)
        return
    assert services.tournament_cancel(tournament=cup).state == State.CANCELLED
    assert set(Match.objects.values_list("state", flat=True)) <= {MatchState.CANCELLED}


def test_the_commitment_is_the_hash_of_the_secret():
    assert TournamentFactory().commitment == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


# --- the start -------------------------------------------------------------------------------------------------------


def test_a_start_freezes_versions_and_queues_every_pair_once(sent, django_capture_on_commit_callbacks):
    cup = TournamentFactory(entries=5, blocks=3, min_action_ms=40)
    with django_capture_on_commit_callbacks(execute=True):
        services.tournament_start(tournament=cup)
    entry = cup.entries.select_related("bot").first()
    assert entry.version_id == entry.bot.current_id
    BotVersionFactory(bot=entry.bot)
    entry.refresh_from_db()
    assert entry.version_id != entry.bot.current_id
    matches = Match.objects.order_by("pk")
    assert sent == [("matches.play",)] * 2, "a few messages are enough, whatever waits"
    assert {(m.blocks, m.min_action_ms, m.on_finished_task, m.state) for m in matches} == {
        (3, 40, "tournaments.match_finished", "queued")
    }
    pairs = {frozenset(match.seats.values_list("version", flat=True)) for match in matches}
    assert len(pairs) == len(matches) == 10


def test_every_matchs_secret_derives_from_the_tournaments():
    cup = running_tournament(4)
    for fixture in cup.fixtures.select_related("match"):
        assert bytes(fixture.match.secret) == block_seed(cup.luck.value, "match", fixture.round.number, fixture.table)
    assert len({bytes(match.secret) for match in Match.objects.all()}) == 6


@pytest.mark.parametrize(("players", "entries", "tables"), [(3, 3, 1), (3, 5, 10), (4, 6, 15), (4, 13, 13), (7, 8, 8)])
def test_tables_of_more_than_two_start_and_finish(players, entries, tables):
    cup = running_tournament(entries, players_per_table=players)
    assert cup.fixtures.count() == tables
    assert Seat.objects.count() == tables * players
    finish_matches(cup)
    assert services.tournament_advance(tournament_id=cup.pk)
    rows = standings_of(cup.stage)
    order = [row.entrant for row in rows]
    assert order == sorted(order, reverse=True)
    assert sum(row.points for row in rows) == tables * players * (players - 1) / 2


def test_too_few_entries_are_an_error_and_entries_stay_open():
    cup = TournamentFactory(entries=3, players_per_table=4)
    EntryFactory(tournament=cup, is_withdrawn=True)
    with pytest.raises(TooFewEntries, match="needs 4 bots and 3 entered"):
        services.tournament_start(tournament=cup)
    cup.refresh_from_db()
    assert (cup.state, cup.started_at, Match.objects.count()) == ("open", None, 0)


def test_more_games_than_the_worker_limit_are_refused():
    cup = TournamentFactory(entries=20, blocks=500)
    with pytest.raises(TooManyGames, match="190000 games"):
        services.tournament_start(tournament=cup)
    assert not Match.objects.exists()


def test_an_entry_without_an_accepted_version_is_left_out_of_the_start():
    cup = TournamentFactory(entries=3)
    lost = cup.entries.first()
    BotVersion.objects.filter(bot=lost.bot).update(state=VersionState.REFUSED)
    services.tournament_start(tournament=cup)
    assert list(cup.entries.filter(is_withdrawn=True)) == [lost]
    assert cup.fixtures.count() == 1


def test_a_bot_that_left_between_the_freeze_and_the_start_took_no_part():
    cup = TournamentFactory(entries=4)
    services.tournament_lock(tournament=cup)
    leaving, *rest = cup.entries.all()
    services.entry_withdraw(entry=leaving, by=cup.organiser)
    services.tournament_start(tournament=cup)
    assert {row.entrant for row in standings_of(cup.stage)} == {entry.pk for entry in rest}


def test_a_start_that_fails_half_way_leaves_nothing(monkeypatch):
    cup = TournamentFactory(entries=3)
    monkeypatch.setattr("tournaments.services.lifecycle.stage_rounds_begin", fails)
    with pytest.raises(RuntimeError):
        services.tournament_start(tournament=cup)
    cup.refresh_from_db()
    assert (cup.state, cup.stage.started_at, cup.entries.exclude(version=None).count()) == ("open", None, 0)


def test_rounds_that_cannot_be_written_leave_no_match_and_are_drawn_later(monkeypatch):
    cup = TournamentFactory(entries=3)
    with monkeypatch.context() as broken:
        broken.setattr(Fixture.objects, "bulk_create", fails)
        with pytest.raises(RuntimeError):
            services.tournament_start(tournament=cup)
    cup.refresh_from_db()
    assert (cup.state, cup.rounds.count(), Match.objects.count()) == ("running", 0, 0)
    assert services.tournaments_tend() == 1
    assert (cup.rounds.count(), Match.objects.count()) == (3, 3)


def test_the_trouble_of_one_tournament_is_not_anothers(monkeypatch):
    broken, sound = (running_tournament(3) for _ in range(2))
    for cup in (broken, sound):
        finish_matches(cup)
    monkeypatch.setattr(
        "tournaments.services.sweep.entries_withdraw_forfeiters",
        lambda tournament_id: fails() if tournament_id == broken.pk else 0,
    )
    assert services.tournaments_tend() == 1
    sound.refresh_from_db()
    assert sound.state == "finished"


def fails(*_args, **_kwargs):
    raise RuntimeError("the disk is full")


# --- pauses and the end ----------------------------------------------------------------------------------------------


def test_a_pause_holds_what_waits_and_a_resume_queues_it_again(sent, django_capture_on_commit_callbacks):
    cup = running_tournament(4)
    finish_matches(cup, most=1)
    services.tournament_pause(tournament=cup)
    assert Match.objects.filter(state="held").count() == 5
    sent.clear()
    with django_capture_on_commit_callbacks(execute=True):
        services.tournament_resume(tournament=cup)
    assert Match.objects.filter(state="queued").count() == 5
    assert sent == [("matches.play",)] * 2


def test_a_match_requeued_by_a_platform_fault_during_a_pause_is_held_again():
    cup = running_tournament(3)
    services.tournament_pause(tournament=cup)
    Match.objects.filter(pk=cup.fixtures.first().match_id).update(state="queued")
    tournaments_tend_task()
    assert set(Match.objects.values_list("state", flat=True)) == {"held"}


def test_a_tournament_whose_last_match_ends_during_a_pause_finishes_on_resume():
    cup = running_tournament(3)
    services.tournament_pause(tournament=cup)
    finish_matches(cup)
    tournaments_tend_task()
    cup.refresh_from_db()
    assert cup.state == State.PAUSED
    assert services.tournament_resume(tournament=cup).state == State.FINISHED


def test_matches_held_after_platform_faults_are_released():
    cup = running_tournament(3)
    Match.objects.update(state="held")
    services.tournament_release(tournament=cup)
    assert set(Match.objects.values_list("state", flat=True)) == {"queued"}
    services.tournament_pause(tournament=cup)
    with pytest.raises(WrongState):
        services.tournament_release(tournament=cup)


def test_a_round_robin_of_six_finishes_by_itself_with_the_last_result(announced, django_capture_on_commit_callbacks):
    cup = running_tournament(6)
    for number, match_id in enumerate(finish_matches(cup), start=1):
        with django_capture_on_commit_callbacks(execute=True):
            tournament_match_finished_task(match_id)
        assert len(announced) == number
    cup.refresh_from_db()
    assert (cup.state, set(announced)) == ("finished", {f"tournament.{cup.pk}"})
    rows = standings_of(cup.stage)
    assert [row.points for row in rows] == list(range(5, -1, -1))
    assert all(upper.entrant > lower.entrant for upper, lower in pairwise(rows))


def test_finishing_twice_or_too_early_changes_nothing(announced):
    cup = running_tournament(3)
    (first,) = finish_matches(cup, most=1)
    tournament_match_finished_task(first)
    cup.refresh_from_db()
    assert cup.state == State.RUNNING
    finish_matches(cup)
    assert services.tournament_advance(tournament_id=cup.pk)
    cup.refresh_from_db()
    ended = cup.finished_at
    assert not services.tournament_advance(tournament_id=cup.pk)
    tournament_match_finished_task(first)
    tournaments_tend_task()
    cup.refresh_from_db()
    assert (cup.state, cup.finished_at) == (State.FINISHED, ended)


def test_the_sweep_finishes_what_a_lost_message_left_running():
    cup, unfinished = running_tournament(3), running_tournament(3)
    finish_matches(cup)
    tournaments_tend_task()
    assert set(Tournament.objects.values_list("pk", "state")) == {(cup.pk, "finished"), (unfinished.pk, "running")}


def test_a_match_of_no_tournament_is_ignored(announced):
    tournament_match_finished_task(123456)
    assert announced == []
