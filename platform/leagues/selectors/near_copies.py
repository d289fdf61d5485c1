"""Bots of one author in a season whose programs hardly differ: for the organiser to look at; nothing follows by
itself."""

from dataclasses import dataclass
from itertools import combinations, groupby
from typing import Final

from django.db.models import Count

from bots.models import Bot
from bots.similarity import NEAR, resemblance
from leagues.models import STANDING, Season, SeasonEntry

PROGRAMS_MOST: Final = 2000  # are compared, each with those of its author
SHOWN_MOST: Final = 100


@dataclass(frozen=True, slots=True)
class NearCopy:
    """Two bots of one author, and the share of their programs that is alike, from 0 to 1."""

    one: Bot
    other: Bot
    share: float

    @property
    def percent(self) -> int:
        """The same in whole percent, rounded down: two that differ are never told to be the same."""
        return int(self.share * 100)


def near_copies(season: Season) -> list[NearCopy]:
    """Return the pairs of bots on the ladder that are alike by ``NEAR`` or more, the most alike first. Two queries."""
    standing = SeasonEntry.objects.filter(
        season=season, state__in=STANDING, membership__bot__is_house=False, version__package__sketch__isnull=False
    )
    several = standing.values("membership__bot__owner").annotate(bots=Count("pk")).filter(bots__gt=1)
    rows = standing.filter(membership__bot__owner__in=several.values("membership__bot__owner"))
    rows = rows.order_by("membership__bot__owner", "membership__bot")[:PROGRAMS_MOST]
    found = [
        (resemblance(bytes(first or b""), bytes(second or b"")), one, other)
        for _, own in groupby(
            rows.values_list("membership__bot__owner", "membership__bot", "version__package__sketch"),
            key=lambda row: row[0],
        )
        for (_, one, first), (_, other, second) in combinations(own, 2)
    ]
    near = sorted((row for row in found if row[0] >= NEAR), key=lambda row: (-row[0], row[1:]))[:SHOWN_MOST]
    bots = Bot.objects.select_related("owner").in_bulk({bot for _, *pair in near for bot in pair})
    return [NearCopy(bots[one], bots[other], share) for share, one, other in near]
