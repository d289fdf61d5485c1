"""A season is not spent on games whose end is known."""

import random
from collections import Counter

import pytest

from leagues import pairing, services
from leagues.models import Season, SeasonEntry
from matches.models import Seat
from tests.leagues.factories import open_league, play, season_of, worker_up

pytestmark = [pytest.mark.django_db, pytest.mark.simulation]
FIELD = (-0.6, -0.3, 0.0, 0.2, 0.5, 0.8, 1.6)
MATCHES, SECRETS = 70, 4
FAIR = 2 * MATCHES / (len(FIELD) + 1)


def seats_of(blocks: int, odd: float, secret: int) -> list[int]:
    """The seats of each bot in a season, that of strength ``odd`` first."""
    season = season_of(open_league(bots=8, blocks=blocks))
    Season.objects.filter(pk=season.pk).update(secret=bytes([secret]) * 32)
    season.refresh_from_db()
    entries = SeasonEntry.objects.filter(season=season).order_by("pk")
    bots = list(entries.values_list("version__bot", flat=True))
    strengths, rng = dict(zip(bots, (odd, *FIELD), strict=True)), random.Random(secret)
    while season.league_matches.count() < MATCHES and services.season_schedule(season_id=season.pk):
        play(season, strengths, rng)
        services.season_refit(season_id=season.pk)
    services.season_end(league=season.league)
    sat = Counter(Seat.objects.filter(match__league_match__season=season).values_list("version__bot", flat=True))
    return [sat[bot] for bot in bots]


@pytest.mark.parametrize(("blocks", "odd"), [(10, -4.0), (10, 6.0)])
def test_a_bot_that_loses_or_wins_always_has_hardly_more_than_its_share(
    blocks: int, odd: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker_up()
    now = [seats_of(blocks, odd, secret) for secret in range(SECRETS)]
    monkeypatch.setattr(pairing._Choosing, "_openness", lambda self: {one.id: 1.0 for one in self.candidates})
    before = [seats_of(blocks, odd, secret) for secret in range(SECRETS)]
    mean, mean_before = (sum(season[0] for season in seasons) / SECRETS for seasons in (now, before))
    assert mean < 0.9 * mean_before
    assert mean < 1.35 * FAIR
    assert min(min(season[1:]) for season in now) >= 0.5 * FAIR
