"""Ladders of a season that were never fitted: one of the bots' strengths, and many like the last one."""

import random
from collections.abc import Mapping
from typing import Final

from django.db import connection, transaction
from django.db.models import F

from leagues.models import STANDING, Rating, RatingSnapshot, Season, SeasonEntry
from leagues.selectors.results import matches_finished

SE: Final = 0.15  # logits, of every bot
OVERLAP: Final = 40  # places by which a rank is not certain


def ladder_write(season: Season, strengths: Mapping[int, float], rng: random.Random) -> None:
    """Write a refit that finds the ``strengths`` of bots, by number and in logits, but for an error."""
    entries = SeasonEntry.objects.filter(season=season, state__in=STANDING).values_list("pk", "membership__bot")
    found = sorted(((strengths[bot] + rng.gauss(0, SE), entry) for entry, bot in entries), reverse=True)
    with transaction.atomic():
        made = _snapshot(season)
        Rating.objects.bulk_create(
            (
                Rating(
                    snapshot=made,
                    entry_id=entry,
                    mean=mean,
                    se=SE,
                    place=place,
                    rank=max(1, place - OVERLAP),
                    rank_low=max(1, place - OVERLAP),
                    rank_high=min(len(found), place + OVERLAP),
                    is_provisional=False,
                )
                for place, (mean, entry) in enumerate(found, 1)
            ),
            batch_size=2000,
        )


def ladder_repeat(season: Season, count: int) -> None:
    """Write so many refits that differ a little from the last one, which a season of weeks has many of."""
    season.refresh_from_db()
    last = RatingSnapshot.objects.get(season=season, number=season.refits)
    names = [field.column for field in Rating._meta.concrete_fields if not field.primary_key]
    read = {"snapshot_id": "%s", "mean": "mean + 0.03 * SIN(entry_id * %s)"}
    columns = ", ".join(read.get(name, name) for name in names)
    for _ in range(count):
        with transaction.atomic(), connection.cursor() as cursor:
            made = _snapshot(season)
            cursor.execute(
                f"INSERT INTO league_rating ({', '.join(names)}) SELECT {columns} FROM league_rating "
                "WHERE snapshot_id = %s",
                [made.pk, made.number, last.pk],
            )


def _snapshot(season: Season) -> RatingSnapshot:
    Season.objects.filter(pk=season.pk).update(refits=F("refits") + 1)
    season.refresh_from_db()
    return RatingSnapshot.objects.create(season=season, number=season.refits, matches=matches_finished(season))
