"""Bots that the organiser keeps apart."""

import pytest
from django.urls import reverse

from tests.arena.factories import UserFactory
from tests.arena.pages import assert_clean_page
from tests.tournaments.factories import EntryFactory, TournamentFactory, finish_matches
from tournaments import services
from tournaments.errors import WrongState
from tournaments.models import ForbiddenPair, Stage, TournamentState
from tournaments.services.forbidden_pairs import PairRefused
from tournaments.tasks import tournament_match_finished_task

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_broker(monkeypatch):
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def test_the_best_two_never_meet_in_a_swiss_that_keeps_them_apart():
    cup = TournamentFactory(entries=8, format="swiss", rounds=4)
    *_, one, other = cup.entries.order_by("pk")  # the later entered, the stronger
    services.forbidden_pair_create(tournament=cup, one=other, other=one)
    services.forbidden_pair_create(tournament=cup, one=one, other=other)
    assert ForbiddenPair.objects.count() == 1
    services.tournament_start(tournament=cup)
    for _ in range(4):
        for match_id in finish_matches(cup):
            tournament_match_finished_task(match_id)
    cup.refresh_from_db()
    assert cup.state == "finished"
    one.refresh_from_db(), other.refresh_from_db()
    tables = [set(fixture.match.seats.values_list("version", flat=True)) for fixture in cup.fixtures.all()]
    assert {one.version_id, other.version_id} not in tables
    with pytest.raises(WrongState):
        services.forbidden_pair_remove(pair=ForbiddenPair.objects.get())


def test_only_two_bots_of_one_tournament_that_is_not_over_are_kept_apart():
    cup = TournamentFactory(entries=2, format="swiss", rounds=1)
    one, other = cup.entries.all()
    for outsider in (one, EntryFactory()):
        with pytest.raises(PairRefused):
            services.forbidden_pair_create(tournament=cup, one=one, other=outsider)
    cup.state = TournamentState.CANCELLED
    cup.save()
    with pytest.raises(WrongState):
        services.forbidden_pair_create(tournament=cup, one=one, other=other)


def test_the_organiser_keeps_apart_and_lets_meet_and_everyone_can_read_it(client):
    cup = TournamentFactory(entries=3, format="swiss", rounds=1)
    one, other, third = cup.entries.all()
    address = reverse("tournaments:apart", args=[cup.slug])
    client.force_login(cup.organiser)
    assert_clean_page(client.get(address))
    assert client.post(address, {"one": one.pk, "other": one.pk}).status_code == 422
    assert client.post(address, {"one": one.pk, "other": other.pk}).status_code == 302
    away = reverse("tournaments:let-meet", args=[cup.slug, ForbiddenPair.objects.get().pk])
    for reader in (None, UserFactory(), third.bot.owner):
        client.logout()
        if reader:
            client.force_login(reader)
        page = client.get(address)
        assert_clean_page(page)
        assert f"{one.bot.name} \N{EN DASH} {other.bot.name}" in page.content.decode()
        assert "Keep two bots apart" not in page.content.decode()
        assert client.post(address, {"one": one.pk, "other": third.pk}).status_code in (302, 403)
        assert client.post(away).status_code in (302, 403)
        assert ForbiddenPair.objects.count() == 1
    client.force_login(cup.organiser)
    client.post(away)
    assert not ForbiddenPair.objects.exists()


@pytest.mark.parametrize("kind", ["round_robin", "single_elimination"])
def test_nobody_is_kept_apart_where_no_round_is_drawn_by_standings_and_the_form_says_why(client, kind):
    cup = TournamentFactory(entries=4, format=kind)
    one, other, *_ = cup.entries.all()
    address = reverse("tournaments:apart", args=[cup.slug])
    client.force_login(cup.organiser)
    shown = client.get(address)
    assert_clean_page(shown)
    assert "Nobody can be kept apart here" in shown.text
    assert "Keep two bots apart" not in shown.text
    answer = client.post(address, {"one": one.pk, "other": other.pk})
    assert_clean_page(answer)
    assert answer.status_code == 422
    assert f"{one.bot.name} and {other.bot.name} cannot be kept apart here" in answer.text
    assert not ForbiddenPair.objects.exists()


def test_bots_are_kept_apart_until_the_swiss_is_over_not_in_the_knockout_after_it():
    cup = TournamentFactory(entries=4, format="swiss", rounds=1)
    Stage.objects.create(tournament=cup, number=2, format="single_elimination", entrants=2)
    one, other, third, _ = cup.entries.order_by("pk")
    services.forbidden_pair_create(tournament=cup, one=one, other=other)
    services.tournament_start(tournament=cup)
    finish_matches(cup)
    services.tournament_advance(tournament_id=cup.pk)
    assert cup.rounds.count() == 2
    with pytest.raises(PairRefused):
        services.forbidden_pair_create(tournament=cup, one=one, other=third)
