"""What has been played in a season, read as columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil
from operator import itemgetter
from typing import TypeAlias

from leagues.models import LeagueMatch, Season, SeasonEntry
from matches.models import MatchState
from matches.models import Seat as MatchSeat

Places: TypeAlias = tuple[tuple[int, ...], tuple[Sequence[int], ...]]  # entries; of each its places by game


@dataclass(frozen=True, slots=True)
class SeasonGame:
    """What an entry has to show. ``score`` sums the shares of opponents beaten, 0 to ``games``; ``slowest_ms`` is
    the 95th percentile, over its matches, of the slowest action of the match."""

    matches: int = 0
    games: int = 0
    score: float = 0.0
    forfeits: int = 0
    faulty_games: int = 0
    slowest_ms: float | None = None


@dataclass(frozen=True, slots=True)
class SeasonResults:
    """All finished matches of a season: the places for a fit, which takes a version that came back as another before
    that (``SeasonEntry.earlier``), and each entry's own totals."""

    places: list[Places]
    played: dict[int, SeasonGame]


def matches_finished(season: Season) -> int:
    return LeagueMatch.objects.filter(season=season, match__state=MatchState.FINISHED).count()


def results_of(season: Season) -> SeasonResults:
    """Return them with one query for the seats and one for who they are."""
    found = SeasonEntry.objects.filter(season=season).only("pk", "version_id", "since")
    entries = {one.version_id: one for one in found}
    seats = list(
        MatchSeat.objects.filter(match__league_match__season=season, match__state=MatchState.FINISHED)
        .order_by("match__league_match__number", "index")
        .values_list(
            *("match__league_match__number", "version_id", "places"),
            *("score", "has_forfeited", "faulty_games", "slowest_ms"),
        )
    )
    places: list[Places] = []
    for number, group in groupby(seats, key=itemgetter(0)):
        table = list(group)
        entrants = tuple(entries[seat[1]].known_in(number) for seat in table)
        places.append((entrants, tuple(seat[2] for seat in table)))
    own = sorted(seats, key=itemgetter(1))
    return SeasonResults(
        places, {entries[version].pk: _played(list(rows)) for version, rows in groupby(own, itemgetter(1))}
    )


def _played(rows: Sequence[tuple[int, int, Sequence[int], float | None, bool, int, float | None]]) -> SeasonGame:
    slowest = sorted(row[6] for row in rows if row[6] is not None)
    return SeasonGame(
        matches=len(rows),
        games=sum(len(row[2]) for row in rows),
        score=sum(row[3] or 0 for row in rows),
        forfeits=sum(row[4] for row in rows),
        faulty_games=sum(row[5] for row in rows),
        slowest_ms=slowest[ceil(0.95 * len(slowest)) - 1] if slowest else None,
    )
