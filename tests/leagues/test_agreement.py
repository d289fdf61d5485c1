"""The ladder shown is checked against one fitted from scratch."""

import random

import pytest
from django.core.management import CommandError, call_command

from arena.operations.metrics import metrics_ladders_wrong
from leagues import services
from leagues.models import Rating
from leagues.selectors.fitting import Agreement, fitted_ladder_agreement_of
from tests.leagues.factories import member_of, open_league, play, season_of, worker_up

pytestmark = pytest.mark.django_db


def test_a_ladder_agrees_is_behind_or_differs(capsys):
    league = open_league(bots=4)
    season = season_of(league)
    assert fitted_ladder_agreement_of(season) is Agreement.EMPTY
    worker_up()
    services.season_schedule(season_id=season.pk)
    play(season, {member.bot_id: 0.0 for member in league.memberships.all()}, random.Random(2))
    services.season_refit(season_id=season.pk)
    assert fitted_ladder_agreement_of(season) is Agreement.AGREES
    member_of(league)
    assert fitted_ladder_agreement_of(season) is Agreement.BEHIND
    services.season_refit(season_id=season.pk)
    call_command("check_ladders")
    assert f"{league.slug}, season 1: agrees" in capsys.readouterr().out
    Rating.objects.filter(place=1, snapshot__number=2).update(games=99)
    assert fitted_ladder_agreement_of(season) is Agreement.DIFFERS
    with pytest.raises(CommandError, match="1 of 1"):
        call_command("check_ladders")


def played_season():
    league = open_league(bots=4)
    season = season_of(league)
    worker_up()
    services.season_schedule(season_id=season.pk)
    play(season, {member.bot_id: 0.0 for member in league.memberships.all()}, random.Random(2))
    return season


def test_the_nightly_check_stores_wrong_ladders_until_they_are_right():
    season = played_season()
    services.season_refit(season_id=season.pk)
    assert services.leagues_check() == 0
    season.refresh_from_db()
    assert season.checked_at is not None
    assert not season.is_wrong
    Rating.objects.filter(place=1).update(mean=9)
    assert services.leagues_check() == 1
    season.refresh_from_db()
    assert season.is_wrong
    assert metrics_ladders_wrong() == [season.league.slug]
    Rating.objects.all().delete()  # the next refit has all of them again
    assert services.leagues_check() == 0
    assert metrics_ladders_wrong() == []


def test_a_ladder_that_is_behind_is_refitted_before_it_is_compared():
    season = played_season()
    assert services.season_check(season_id=season.pk) is Agreement.EMPTY
    services.season_refit(season_id=season.pk)
    member_of(season.league)
    assert services.season_check(season_id=season.pk) is Agreement.AGREES


def test_refits_from_where_the_ladder_stood_are_those_from_scratch():
    season = played_season()
    for number in range(6):
        services.season_schedule(season_id=season.pk)
        play(
            season,
            {member.bot_id: member.bot_id % 3 for member in season.league.memberships.all()},
            random.Random(number),
        )
        if number == 3:
            member_of(season.league)
        services.season_refit(season_id=season.pk)
        season.refresh_from_db()
        assert fitted_ladder_agreement_of(season) is Agreement.AGREES
