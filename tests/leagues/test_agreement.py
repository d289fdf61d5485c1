"""The ladder shown is checked against one fitted from scratch."""

import random

import pytest
from django.core.management import CommandError, call_command

from leagues import services
from leagues.models import Rating
from leagues.selectors.consistency import Agreement, agreement_of
from tests.leagues.factories import member_of, open_league, play, season_of, worker_up

pytestmark = pytest.mark.django_db


def test_a_ladder_agrees_is_behind_or_differs(capsys):
    league = open_league(bots=4)
    season = season_of(league)
    assert agreement_of(season) is Agreement.EMPTY
    worker_up()
    services.season_schedule(season_id=season.pk)
    play(season, {member.bot_id: 0.0 for member in league.memberships.all()}, random.Random(2))
    services.season_refit(season_id=season.pk)
    assert agreement_of(season) is Agreement.AGREES
    member_of(league)
    assert agreement_of(season) is Agreement.BEHIND
    services.season_refit(season_id=season.pk)
    call_command("check_ladders")
    assert f"{league.slug}, season 1: agrees" in capsys.readouterr().out
    Rating.objects.filter(place=1, snapshot__number=2).update(games=99)
    assert agreement_of(season) is Agreement.DIFFERS
    with pytest.raises(CommandError, match="1 of 1"):
        call_command("check_ladders")
