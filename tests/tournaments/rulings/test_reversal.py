"""Whatever was ruled and in whichever order it is taken back: nothing is left of it but the log."""

import json
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from matches.models import Seat
from tests.examples import examples
from tests.tournaments.factories import TournamentFactory, finish_matches
from tests.tournaments.rulings.rule import preview, rule, take_back
from tournaments import services
from tournaments.errors import RulingRefused
from tournaments.models import Fixture, Ruling, Seed, Stage, Tournament

pytestmark = pytest.mark.django_db(transaction=True)

KINDS = ("void", "replay", "replace", "disqualify", "annul", "withdraw")
LOG = ("rulings", "head")  # of tournament.json: the log and the chain, which are only added to


def cup_of(shape: str) -> Tournament:
    """A Swiss whose second round is being played, or waits; a knockout in its second round; a knockout after a round
    robin."""
    if shape.startswith("swiss"):
        cup = TournamentFactory(entries=7, format="swiss", rounds=3, has_round_review=shape == "swiss that waits")
    elif shape == "knockout":
        cup = TournamentFactory(entries=7, format="single_elimination", has_third_place=True)
    elif shape == "two stages":
        cup = TournamentFactory(entries=4, format="round_robin")
        Stage.objects.create(tournament=cup, number=2, format="single_elimination", entrants=3, blocks=1)
    else:
        cup = TournamentFactory(entries=4, format=shape)
    services.tournament_start(tournament=cup)
    for played in cup.rounds.filter(started_at__isnull=True):
        services.waiting_round_start(played=played)
    finish_matches(cup)
    services.tournament_advance(tournament_id=cup.pk)
    finish_matches(cup, most=1 if shape in ("knockout", "round_robin") else 0)
    return Tournament.objects.get(pk=cup.pk)


OTHERS = ("swiss that waits", "knockout", "two stages", "double_elimination")
SHAPES = ("swiss", *(pytest.param(one, marks=pytest.mark.exhaustive) for one in OTHERS))


def everything(cup: Tournament) -> dict[str, Any]:
    """Every file that the site exports but the log, and every page that shows tables, standings or a bracket, as their
    bytes; and the queue."""
    cache.clear()
    client = Client()
    client.force_login(cup.organiser)
    values: dict[str, Any] = {}
    for name in ("standings.csv", "fixtures.csv"):
        values[name] = client.get(reverse("tournaments:export", args=[cup.slug, name])).getvalue()
    data = json.loads(client.get(reverse("tournaments:export", args=[cup.slug, "tournament.json"])).getvalue())
    values["tournament.json"] = {name: value for name, value in data.items() if name not in LOG}
    values["ratings"] = client.get(reverse("tournaments:ratings-export", args=[cup.slug, "ratings.csv"])).getvalue()
    for stage in cup.stages.filter(started_at__isnull=False):
        if stage.players_per_table == 2:
            values[f"trf {stage.number}"] = client.get(
                reverse("tournaments:report", args=[cup.slug, stage.number])
            ).getvalue()
        values[f"api {stage.number}"] = client.get(
            f"/api/tournaments/{cup.slug}/standings/?stage={stage.number}"
        ).content
    fixtures = Fixture.objects.filter(round__tournament=cup).order_by("round__number", "table")
    values["queue"] = list(
        fixtures.values_list(
            *("round__number", "table", "match", "attempt", "luck", "reasons", "match__state", "match__secret"),
            *("round__started_at", "round__stage"),
        )
    )
    seats = Seat.objects.filter(match__fixture__in=fixtures).order_by("match", "index")
    values["seats"] = list(seats.values_list("match", "index", "version", "has_forfeited"))
    byes = cup.byes.order_by("round__number", "entry")
    values["byes"] = list(byes.values_list("round__number", "entry", "points", "reasons"))
    entries = cup.entries.order_by("pk")
    values["entries"] = list(entries.values_list("pk", "is_withdrawn", "withdrawn_at", "withdrawn_because"))
    values["stages"] = list(cup.stages.values_list("number", "started_at", "finished_at", "drawn"))
    values["seeds"] = list(Seed.objects.filter(stage__tournament=cup).values_list("stage__number", "number", "entry"))
    return values


def try_rule(cup: Tournament, kind: str, place: int, score: int) -> Ruling | None:
    """What cannot be ruled is not."""
    about: dict[str, Any] = {}
    if kind in ("disqualify", "annul", "withdraw"):
        entries = list(cup.entries.order_by("pk"))
        about = {"entry": entries[place % len(entries)]}
        if kind == "annul":
            kind, about["annul"] = "disqualify", True
    else:
        fixtures = cup.fixtures.select_related("round__stage", "round__tournament", "match")
        fixture = list(fixtures.order_by("round__number", "table"))[place % fixtures.count()]
        about = {"fixture": fixture}
        if kind == "replace":
            entries_by_version = dict(cup.entries.values_list("version", "pk"))
            one, other = (entries_by_version[seat.version_id] for seat in fixture.match.seats.all())
            about["scores"] = {one: score % 3, other: 2 - score % 3}
    try:
        return rule(cup, kind, **about)
    except RulingRefused:
        return None


def reverse_all(cup: Tournament, rulings: list[Ruling], order: list[int]) -> None:
    left = list(rulings)
    for place in order:
        if left:
            take_back(cup, left.pop(place % len(left)))
    for ruling in left[::-1]:
        take_back(cup, ruling)


STEPS = st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 30), st.integers(0, 2)), min_size=1, max_size=4)


@pytest.mark.parametrize("shape", SHAPES)
def test_rulings_taken_back_leave_standings_draws_and_files_as_they_were(monkeypatch, shape):
    """Nothing is played, and no round is drawn, in between."""
    monkeypatch.setattr("tournaments.services.ruling.tournament_advance", lambda **_ids: False)

    @examples(2, suppress_health_check=list(HealthCheck))
    @given(steps=STEPS, order=st.lists(st.integers(0, 3), max_size=4))
    def leaves_all_as_it_was(steps, order):
        cache.clear()  # what another example kept has the same key: the stage began at the same time
        with transaction.atomic():
            cup = Tournament.objects.get(pk=played)
            made = [ruling for ruling in (try_rule(cup, *step) for step in steps) if ruling is not None]
            reverse_all(cup, made, order)
            after = everything(cup)
            transaction.set_rollback(True)
        assert {name: after[name] for name in after if after[name] != before[name]} == {
            name: before[name] for name in after if after[name] != before[name]
        }

    with transaction.atomic():
        cup = cup_of(shape)
        played, before = cup.pk, everything(cup)
        leaves_all_as_it_was()
        transaction.set_rollback(True)


@pytest.mark.parametrize("shape", SHAPES)
@examples(1, suppress_health_check=list(HealthCheck))
@given(steps=STEPS)
def test_the_rounds_that_follow_are_undone_too_when_all_is_taken_back_in_reverse(shape, steps):
    """New rounds are drawn after each ruling, and not played."""
    cup = cup_of(shape)
    before = everything(cup)
    made = [ruling for ruling in (try_rule(cup, *step) for step in steps) if ruling is not None]
    reverse_all(cup, made, [])
    assert preview(cup, "note").to_play is False
    after = everything(cup)
    changed = {name for name in after if after[name] != before[name]}
    assert {name: after[name] for name in changed} == {name: before[name] for name in changed}
