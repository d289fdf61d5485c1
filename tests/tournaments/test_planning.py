"""What decides no result stays editable: texts, future times, premieres, publication; the chain records it."""

import json
from copy import deepcopy
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from matches.models import Audience, Match, MatchState
from matches.proof.chain import ProofError
from tests.arena.factories import OrganiserFactory, UserFactory
from tests.arena.openapi import as_described
from tests.arena.pages import assert_clean_page
from tests.bots.test_permissions import token_of
from tests.tournaments.factories import TournamentFactory, finish_matches, running_tournament
from tests.tournaments.proof.events import LAST, cup_of, play_out
from tests.tournaments.proof.forging import Parts
from tests.tournaments.proof.test_verify import proof_file
from tests.tournaments.waiting_rounds import play_round, states_of, swiss
from tournaments import services
from tournaments.errors import EditRefused, TournamentError
from tournaments.models import Stage
from tournaments.proof.verify import proof_verify
from tournaments.selectors.entering.editing import tournament_edit_basis
from tournaments.selectors.rounds.plans import round_plans_of
from tournaments.services.round_planning import PremiereRefused, TooLateForPremiere
from tournaments.tasks import tournament_match_finished_task, tournaments_tend_task

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sent")]
NOW = timezone.now().replace(microsecond=0)
EVENING = NOW + timedelta(hours=6)


def edit(cup, **fields):
    cup.refresh_from_db()
    return services.tournament_edit(tournament=cup, basis=tournament_edit_basis(cup), **fields)


def links_of(cup, kind):
    return [json.loads(content) for content in cup.chain.filter(kind=kind).values_list("content", flat=True)]


def opened(**fields):
    return services.tournament_open(tournament=TournamentFactory(state="draft", **fields))


def go_on(cup):
    for match_id in finish_matches(cup):
        tournament_match_finished_task(match_id)
    cup.refresh_from_db()


# --- words, calendar, publication ------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", ["locked", "running", "paused", "finished"])
def test_the_description_is_edited_in_every_state_and_the_chain_records_its_digest(state):
    cup = opened(entries=3)
    if state == "locked":
        services.tournament_lock(tournament=cup)
    else:
        cup = services.tournament_start(tournament=cup)
    if state == "paused":
        services.tournament_pause(tournament=cup)
    if state == "finished":
        go_on(cup)
    assert edit(cup, description="In room 12.").description == "In room 12."
    (link,) = links_of(cup, "edited")
    assert link.keys() == {"description"}
    edit(cup, description="In room 12.")
    assert len(links_of(cup, "edited")) == 1


def test_what_binds_results_is_fixed_once_it_runs():
    cup = running_tournament(3)
    for name in ("name", "tie_breaks", "entrants_most", "admission", "first_round_at", "tempo", "limits"):
        with pytest.raises(EditRefused):
            edit(cup, **{name: getattr(cup, name)})


def test_rounds_that_have_not_begun_follow_the_calendar_that_is_edited():
    cup = running_tournament(4, round_minutes=30)
    first, second, third = cup.rounds.all()
    edit(cup, round_minutes=10)
    first, second, third = cup.rounds.all()
    assert second.starts_at - first.starts_at == third.starts_at - second.starts_at == timedelta(minutes=10)
    edit(cup, round_minutes=0)
    tournaments_tend_task()
    assert states_of(cup, 2) == states_of(cup, 3) == {MatchState.QUEUED}


def test_an_early_manual_start_keeps_the_first_round_movable():
    cup = swiss(first_round_at=EVENING)
    edit(cup, first_round_at=EVENING + timedelta(hours=1))
    assert cup.rounds.get().starts_at == EVENING + timedelta(hours=1)
    edit(cup, first_round_at=None)
    tournaments_tend_task()
    assert states_of(cup, 1) == {MatchState.QUEUED}


def test_review_that_is_switched_off_lets_what_waits_go_and_switched_on_hides_it():
    cup = swiss(has_round_review=True)
    assert set(Match.objects.values_list("audience", flat=True)) == {Audience.ORGANISER}
    edit(cup, has_round_review=False)
    assert set(Match.objects.values_list("audience", flat=True)) == {Audience.EVERYONE}
    tournaments_tend_task()
    assert states_of(cup, 1) == {MatchState.QUEUED}
    edit(cup, has_round_review=True)
    play_round(cup)
    assert states_of(cup, 2) == {MatchState.HELD}


def test_publication_by_the_form_is_publication_by_the_button():
    cup = running_tournament(3)
    edit(cup, publication="hidden")
    assert set(Match.objects.values_list("audience", flat=True)) == {Audience.ORGANISER}
    services.tournament_publish(tournament=cup, publication="everyone")
    assert links_of(cup, "edited") == [{"publication": "hidden"}, {"publication": "everyone"}]


def test_the_form_of_a_running_tournament_has_what_stays_editable(client):
    cup = running_tournament(3)
    client.force_login(cup.organiser)
    page = client.get(reverse("tournaments:edit", args=[cup.slug]))
    assert_clean_page(page)
    fields = {"audience", "description", "round_minutes", "time_zone", "has_round_review", "publication"}
    assert set(page.context["form"].fields) == fields
    detail = client.get(reverse("tournaments:detail", args=[cup.slug])).content.decode()
    assert reverse("tournaments:edit", args=[cup.slug]) in detail


# --- a plan for each stage and round ---------------------------------------------------------------------------------


def knockout_of(entries=4, **fields):
    return opened(entries=entries, format="single_elimination", **fields)


def test_the_final_alone_is_a_premiere_planned_before_the_start():
    cup = knockout_of()
    services.round_plan_set(tournament=cup, stage=1, place=0, premieres_at=EVENING, tempo="story")
    cup = services.tournament_start(tournament=cup)
    assert set(Match.objects.values_list("tempo", "premieres_at")) == {("", None)}
    go_on(cup)
    final = cup.rounds.last()
    assert (final.number, final.premieres_at, final.tempo) == (2, EVENING, "story")
    assert set(Match.objects.filter(fixture__round=final).values_list("tempo", "premieres_at")) == {("story", EVENING)}


@pytest.mark.parametrize(
    ("first", "final"), [("swiss", "single_elimination"), ("round_robin", "double_elimination"), ("swiss", "heats")]
)
def test_the_final_of_a_later_stage_is_planned_whatever_its_number_will_be(first, final):
    seats = 3 if final == "heats" else 2
    rounds = {"rounds": 2} if first == "swiss" else {}
    cup = opened(entries=9, format=first, players_per_table=seats, **rounds)
    Stage.objects.create(
        tournament=cup, number=2, format=final, entrants=6, blocks=1, players_per_table=seats, smallest_table=2
    )
    services.round_plan_set(tournament=cup, stage=2, place=0, premieres_at=EVENING, tempo="highlights")
    cup = services.tournament_start(tournament=cup)
    while cup.state == "running":
        go_on(cup)
    shown = [one.premieres_at for one in cup.rounds.order_by("number")]
    assert shown[-1] == EVENING
    assert not any(shown[:-2] if final == "double_elimination" else shown[:-1])


def test_a_round_begins_when_it_is_planned_to_and_those_after_it_not_before():
    cup = opened(entries=4, round_minutes=30)
    services.round_plan_set(tournament=cup, stage=1, place=2, starts_at=EVENING)
    cup = services.tournament_start(tournament=cup)
    _first, second, third = cup.rounds.all()
    assert (second.starts_at, third.starts_at) == (EVENING, EVENING + timedelta(minutes=30))
    services.round_plan_set(tournament=cup, stage=1, place=2, starts_at=EVENING + timedelta(hours=1))
    _first, second, third = cup.rounds.all()
    assert (second.starts_at, third.starts_at) == (EVENING + timedelta(hours=1), EVENING + timedelta(minutes=90))
    services.round_plan_set(tournament=cup, stage=1, place=2)
    first, second, third = cup.rounds.all()
    assert second.starts_at - first.starts_at == third.starts_at - second.starts_at == timedelta(minutes=30)


def test_a_plan_is_set_until_the_round_begins_and_not_after():
    cup = running_tournament(4, round_minutes=30)
    with pytest.raises(TournamentError):
        services.round_plan_set(tournament=cup, stage=1, place=1, starts_at=EVENING)
    with pytest.raises(TooLateForPremiere):
        services.round_plan_set(tournament=cup, stage=1, place=1, premieres_at=EVENING, tempo="story")
    services.round_plan_set(tournament=cup, stage=1, place=3, premieres_at=EVENING, tempo="story")
    assert cup.rounds.get(number=3).premieres_at == EVENING
    assert cup.rounds.get(number=1).starts_at < timezone.now() + timedelta(minutes=1)


@pytest.mark.parametrize(
    ("plan", "field"),
    [
        ({"stage": 2, "place": 1, "starts_at": EVENING}, "place"),
        ({"stage": 1, "place": 6000, "starts_at": EVENING}, "place"),
        ({"stage": 1, "place": 1, "starts_at": NOW - timedelta(days=1)}, "starts_at"),
        ({"stage": 1, "place": 1, "starts_at": NOW + timedelta(days=9999)}, "starts_at"),
        ({"stage": 1, "place": 1, "premieres_at": NOW + timedelta(days=99), "tempo": "story"}, "premieres_at"),
        ({"stage": 1, "place": 1, "premieres_at": EVENING, "tempo": "slow"}, "tempo"),
        (
            {"stage": 1, "place": 1, "premieres_at": NOW + timedelta(hours=1), "starts_at": EVENING, "tempo": "story"},
            "premieres_at",
        ),
    ],
)
def test_an_invalid_plan_is_refused_beside_its_field(plan, field):
    cup = knockout_of()
    with pytest.raises(PremiereRefused) as refused:
        services.round_plan_set(tournament=cup, **plan)
    assert refused.value.field == field
    assert not cup.plans.exists()
    assert links_of(cup, "planned") == []


def test_a_round_robin_has_no_final():
    with pytest.raises(PremiereRefused):
        services.round_plan_set(tournament=opened(entries=4), stage=1, place=0, starts_at=EVENING)


@pytest.mark.parametrize(
    ("role", "status"),
    [("nobody", 401), ("author", 403), ("owner", 403), ("arbiter", 403), ("organiser", 200), ("staff", 200)],
)
def test_the_right_roles_plan_over_the_api_and_on_the_page(client, role, status):
    cup = knockout_of(organiser=OrganiserFactory())
    people = {
        "nobody": None,
        "author": UserFactory(),
        "owner": cup.entries.first().bot.owner,
        "arbiter": UserFactory(),
        "organiser": cup.organiser,
        "staff": UserFactory(is_staff=True),
    }
    cup.arbiters.add(people["arbiter"])
    headers = {"authorization": f"Token {token_of(people[role])}"} if people[role] else {}
    where = f"/api/tournaments/{cup.slug}/plan/"
    data = {"premieres_at": EVENING.isoformat(), "tempo": "story"}
    answer = client.put(f"{where}1/0/", data, content_type="application/json", headers=headers)
    assert answer.status_code == status
    listed = client.get(where, headers=headers)
    assert listed.status_code == status
    if status == 200:
        as_described(answer), as_described(listed)
        assert [one["premieres_at"] is not None for one in listed.json()["results"]] == [False, True]
    if people[role]:
        client.force_login(people[role])
    pages = [reverse("tournaments:plan", args=[cup.slug]), reverse("tournaments:plan-round", args=[cup.slug, 1, 0])]
    for page in pages:
        assert client.get(page).status_code == (302 if role == "nobody" else status)
        if status == 200:
            assert_clean_page(client.get(page))
    sent = {"premieres_at": f"{EVENING + timedelta(days=1):%Y-%m-%dT%H:%M}", "tempo": "every"}
    posted = client.post(pages[1], sent)
    assert posted.status_code == (302 if status == 200 or role == "nobody" else 403)
    assert [plan.tempo for plan in cup.plans.all()] == (["every"] if status == 200 else [])


def test_the_list_names_rounds_that_are_drawn_and_those_to_come():
    cup = knockout_of(8)
    assert [(one.place, one.number) for one in round_plans_of(cup)] == [(1, 0), (2, 0), (0, 0)]
    cup = services.tournament_start(tournament=cup)
    go_on(cup)
    assert [(one.place, one.number, one.begun) for one in round_plans_of(cup)] == [
        (1, 1, True),
        (2, 2, True),
        (0, 0, False),
    ]
    double = opened(entries=4, format="double_elimination")
    assert [one.place for one in round_plans_of(double)] == [1, 2, 3, 0]


def test_the_calendar_shows_when_the_first_round_is_due_and_when_one_began_early(client):
    cup = opened(entries=4, format="swiss", rounds=2, first_round_at=EVENING, has_round_review=True)
    client.force_login(cup.organiser)
    address = reverse("tournaments:plan", args=[cup.slug])
    due = f'datetime="{EVENING.isoformat()}"'
    assert due in client.get(address).content.decode()
    cup = services.tournament_start(tournament=cup)
    services.waiting_round_start(played=cup.rounds.get())
    began = round_plans_of(cup)[0].starts_at
    assert began == cup.rounds.get().started_at
    assert due not in client.get(address).content.decode()


def test_one_bot_is_one_bot(client):
    cup = opened(entries=1)
    client.force_login(cup.organiser)
    page = client.get(reverse("tournaments:detail", args=[cup.slug])).content.decode()
    assert "1 bot has entered, and at least" in page


# --- the proof -------------------------------------------------------------------------------------------------------


def test_a_proof_with_edits_and_plans_holds(tmp_path):
    cup = cup_of([LAST] * 4, format="single_elimination")
    cup = services.tournament_start(tournament=cup)
    services.round_plan_set(tournament=cup, stage=1, place=0, starts_at=EVENING)
    services.round_plan_set(tournament=cup, stage=1, place=0)
    edit(cup, description="To the end.", round_minutes=1)
    edit(cup, round_minutes=0)
    cup = play_out(cup)
    services.tournament_publish(tournament=cup, publication="participants")
    services.tournament_publish(tournament=cup, publication="everyone")
    kinds = list(cup.chain.values_list("kind", flat=True))
    assert (kinds.count("planned"), kinds.count("edited")) == (2, 4)
    assert proof_verify(proof_file(cup, tmp_path / "proof.zip")).ended


@pytest.fixture(scope="module")
def edited_proof(shared_rows, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
        cup = services.tournament_start(tournament=cup_of([LAST] * 2, format="single_elimination"))
        edit(cup, description="To the end.")
        services.round_plan_set(tournament=cup, stage=1, place=2, premieres_at=EVENING, tempo="story")
        return Parts.of(proof_file(play_out(cup), tmp_path_factory.mktemp("proof") / "proof.zip"))


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("edited", {}),
        ("edited", {"description": "To the end."}),
        ("edited", {"round_minutes": -1}),
        ("edited", {"round_minutes": True}),
        ("edited", {"publication": "friends"}),
        ("edited", {"first_round_at": "9999-99-99T99:99:99.000000Z"}),
        ("edited", {"first_round_at": "tomorrow"}),
        ("edited", {"entrants_most": 9}),
        ("planned", {"stage": 2}),
        ("planned", {"place": -1}),
        ("planned", {"place": 10**9}),
        ("planned", {"tempo": "slow"}),
        ("planned", {"tempo": ""}),
        ("planned", {"starts_at": "2031-01-01"}),
        ("planned", {"more": 1}),
    ],
)
def test_an_edit_or_a_plan_of_another_form_does_not_hold(edited_proof, tmp_path, kind, content):
    forged = edited_proof.copy()
    (link,) = [one for one in forged.links if one["kind"] == kind]
    link["content"] = content if kind == "edited" else link["content"] | content
    with pytest.raises(ProofError, match=kind):
        proof_verify(forged.write(tmp_path / "forged.zip"))
    assert proof_verify(edited_proof.write(tmp_path / "honest.zip")).ended


@pytest.mark.parametrize("kind", ["edited", "planned"])
def test_no_honest_chain_records_an_edit_that_changes_nothing(edited_proof, tmp_path, kind):
    forged = edited_proof.copy()
    at = next(at for at, one in enumerate(forged.links) if one["kind"] == kind)
    forged.links.insert(at, deepcopy(forged.links[at]))
    with pytest.raises(ProofError, match=kind):
        proof_verify(forged.write(tmp_path / "forged.zip"))
