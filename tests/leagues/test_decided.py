"""A season is not spent on games whose end is known."""

import random
from collections import Counter

import pytest

from leagues import services
from leagues.models import SeasonEntry
from matches.models import Seat
from tests.leagues.factories import open_league, play, season_of, worker_up

pytestmark = pytest.mark.django_db
FIELD = (-0.6, -0.3, 0.0, 0.2, 0.5, 0.8, 1.6)


@pytest.mark.parametrize(("blocks", "odd"), [(10, -4.0), (10, 6.0), (1, -4.0)])
def test_a_bot_that_loses_or_wins_always_has_no_more_than_its_share(blocks, odd):
    worker_up()
    season = season_of(open_league(bots=8, blocks=blocks))
    bots = list(SeasonEntry.objects.order_by("pk").values_list("version__bot", flat=True))
    strengths, rng = dict(zip(bots, (odd, *FIELD), strict=True)), random.Random(4)
    while season.league_matches.count() < 70 and services.season_schedule(season_id=season.pk):
        play(season, strengths, rng)
        services.season_refit(season_id=season.pk)
    seats = Counter(Seat.objects.values_list("version__bot", flat=True))
    fair = seats.total() / 8
    assert seats[bots[0]] <= 1.2 * fair
    assert min(seats.values()) >= 0.5 * fair
