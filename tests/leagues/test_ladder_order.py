"""The ladder stands in the order of the numbers that it shows."""

import random
import re

import pytest
from django.urls import reverse

from leagues import services
from leagues.models import Rating, SeasonEntry
from tests.bots.factories import BotVersionFactory
from tests.leagues.factories import member_of, play, season_of, worker_up

pytestmark = pytest.mark.django_db


def shown(page):
    """Return (rating, number it is placed by) of each row that has a rank, from the top."""
    cells = re.findall(r'<td class="rank".*?>(.*?)</td>.*?<td class="num points".*?>(.*?)</td>', page, re.DOTALL)
    ranked = [points for rank, points in cells if rank.strip() != "\u2013"]
    return [
        (int(points.split()[0]), int(placed[1]) if (placed := re.search(r"placed by\s+(\d+)", points)) else None)
        for points in ranked
    ]


@pytest.mark.parametrize("change", ["a newcomer", "a new version", "nothing"])
def test_each_row_shows_by_what_it_is_placed(season, client, change):
    worker_up(slots=8)
    rng = random.Random(5)
    for _ in range(5):
        member_of(season.league)

    def rounds(number):
        bots = list(SeasonEntry.objects.filter(season=season).values_list("version__bot", flat=True))
        strengths = {bot: (place % 8) * 0.3 for place, bot in enumerate(sorted(set(bots)))}
        for _ in range(number):
            services.season_schedule(season_id=season.pk)
            play(season, strengths, rng)

    rounds(12)
    if change == "a newcomer":
        member_of(season.league)
    if change == "a new version":
        BotVersionFactory(bot=season.league.memberships.last().bot, number=2)
        services.season_entries_sync(season_id=season.pk)
    rounds(2)
    services.season_refit(season_id=season.pk)
    page = client.get(reverse("leagues:detail", args=[season_of(season.league).league.slug])).content.decode()
    assert "provisional bots by the lower end of their interval" in page
    rows = shown(page)
    assert len(rows) >= 7
    keys = [rating if placed is None else placed for rating, placed in rows]
    assert keys == sorted(keys, reverse=True)
    provisional = Rating.objects.filter(snapshot__season=season, is_provisional=True, matches__gt=0).count()
    assert sum(placed is not None for _rating, placed in rows) == provisional
    if change != "nothing":
        assert provisional
