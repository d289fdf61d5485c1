"""Who is at the first ranks of the last ladder of a season."""

from collections import defaultdict
from collections.abc import Collection
from typing import Final

from django.db.models import F, QuerySet

from bots.models import Bot
from leagues.models import Rating

PODIUM: Final = 3  # ranks
NAMED: Final = 20  # bots of a season: in a young ladder hundreds may share the first rank


def ratings_placed() -> QuerySet[Rating]:
    """Return who is at one of the first ranks of the last ladder of a season, in its first division, having played."""
    last = Rating.objects.filter(snapshot__number=F("snapshot__season__refits"), entry__division=1)
    return last.filter(matches__gt=0, rank__lte=PODIUM)


def season_podiums(seasons: Collection[int]) -> dict[int, list[tuple[int, Bot]]]:
    """Return rank and bot of the first, by the primary key of the season; bots that cannot be told apart share a rank,
    and the ``NAMED`` best of them are returned. One query, and none for no seasons."""
    found = defaultdict[int, list[tuple[int, Bot]]](list)
    placed = ratings_placed().filter(place__lte=NAMED)
    ratings = placed.filter(snapshot__season__in=seasons) if seasons else Rating.objects.none()
    for one in ratings.select_related("snapshot", "entry__version__bot__owner").order_by("place"):
        found[one.snapshot.season_id].append((one.rank, one.entry.version.bot))
    return dict(found)
