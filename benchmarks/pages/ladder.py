"""Add many refits to a season without fitting: copies of the last ladder with small changes."""

from django.db import connection, transaction
from django.db.models import F

from leagues.models import Rating, RatingSnapshot, Season
from leagues.selectors.matches import season_matches_finished


def ladder_repeat(season: Season, count: int) -> None:
    """Write ``count`` refits that differ slightly from the last one, as in a season of several weeks."""
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
    return RatingSnapshot.objects.create(season=season, number=season.refits, matches=season_matches_finished(season))
