"""What the tests of members do to a season, and read of it."""

import random
from datetime import timedelta

from django.utils import timezone

from leagues import services
from leagues.models import SeasonEntry
from tests.leagues.factories import play


def states(member):
    found = SeasonEntry.objects.filter(membership=member).order_by("version__number")
    return list(found.values_list("version__number", "state"))


def played(season, rounds=1, faulty=frozenset()):
    bots = SeasonEntry.objects.filter(season=season).values_list("version__bot", flat=True)
    for _ in range(rounds):
        services.season_schedule(season_id=season.pk)
        play(season, dict.fromkeys(bots, 0.0), random.Random(1), faulty=faulty)
        services.season_entries_bench(season_id=season.pk)


def in_the_last_tenth(season):
    now = timezone.now()
    type(season).objects.filter(pk=season.pk).update(
        starts_at=now - timedelta(days=92), ends_at=now + timedelta(days=8)
    )
    season.refresh_from_db()
