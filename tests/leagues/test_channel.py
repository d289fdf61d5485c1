"""A league's matches are rated as soon as they are finished, and aired afterwards (decision 12)."""

from datetime import timedelta

import pytest
from django.utils import timezone

from leagues.models import LeagueMatch
from leagues.selectors.matches import season_matches_finished
from leagues.services import season_schedule
from matches.airing.channel import SLOT_MS, channel_of
from matches.models import Match
from tests.leagues.factories import open_league, season_of, worker_up
from tests.matches.factories import games_of, leased, written

pytestmark = pytest.mark.django_db


def test_a_match_of_a_league_counts_at_once_and_is_on_the_channel_in_a_slot_of_its_own() -> None:
    season = season_of(open_league(bots=2))
    worker_up()
    season_schedule(season_id=season.pk)
    match = LeagueMatch.objects.get(season=season, number=1).match
    assert not match.tempo
    lease = leased(match)
    assert written(lease, games_of(match))
    assert season_matches_finished(season) == 1
    now = timezone.now()
    Match.objects.filter(pk=match.pk).update(finished_at=now - timedelta(hours=1))
    aired = channel_of("pickomino", now=now).now
    assert aired is not None
    assert (aired.match, aired.is_rerun) == (match, True)
    assert aired.starts % SLOT_MS == 0
