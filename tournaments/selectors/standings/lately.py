"""Standings for readers: of a large tournament that is being played they may be some seconds old.

To fold those of a thousand bots takes a third of a second, and everything shown of them is asked for in many forms: a
page at a time, in four languages, over the API. So they are folded for a twentieth of the time at most, by one of those
who ask at once.
"""

from dataclasses import dataclass
from time import time
from typing import Final

from django.core.cache import caches

from tournaments.models import PLAYING, Stage
from tournaments.selectors.standings.results import standings_of
from tournaments.standings import Row
from web import boards, kept_parts

CACHED_SECONDS: Final = 60  # versions may be deleted, which moves no revision


@dataclass(frozen=True, slots=True)
class RecentStandings:
    """``rows`` as they were at a ``revision`` of the tournament; ``until``: when they may be folded anew."""

    rows: tuple[Row, ...]
    revision: int
    until: float

    def old_until(self, revision: int) -> float:
        """Return until when they are shown though there are newer ones; 0 if these are the newest."""
        return 0 if self.revision == revision else max(self.until, time() + 1)


def standings_lately(stage: Stage) -> RecentStandings:
    """Return the rows of a stage for a reader. Those of a stage of a page's length, or of a tournament that is not
    being played, are the newest."""
    tournament = stage.tournament
    if tournament.state not in PLAYING or stage.started_at is None:
        return RecentStandings(standings_of(stage), tournament.revision, 0)
    cache = caches["optional"]
    key = f"standings-lately/1/{stage.pk}/{stage.started_at.timestamp()}"
    kept: RecentStandings | None = cache.get(key)
    if kept is not None and (kept.revision == tournament.revision or time() < kept.until):
        return kept
    if kept is not None and not cache.add(f"{key}/busy", 1, kept_parts.RENDERING):
        return kept
    begun = time()
    rows = standings_of(stage)
    found = RecentStandings(rows, tournament.revision, begun + kept_parts.REST * (time() - begun))
    if len(rows) > boards.BOARD_ROWS:
        cache.set(key, found, CACHED_SECONDS)
        cache.delete(f"{key}/busy")
    return found
