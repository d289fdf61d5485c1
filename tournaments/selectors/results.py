"""What has been played, read in one query, and the standings folded from it."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter

from django.core.cache import cache

from matches.models import Match, MatchState
from matches.models import Seat as MatchSeat
from tournaments.models import Entry, Tournament
from tournaments.standings import Result, Row, Seat, standings

CACHED_SECONDS = 3600


def standings_of(tournament: Tournament, entries: Sequence[Entry]) -> tuple[Row, ...]:
    """The rows for those entries that take part, in order; kept per number of finished matches."""
    finished = Match.objects.filter(fixture__tournament=tournament, state=MatchState.FINISHED).count()
    playing = {entry.version_id: entry.pk for entry in entries if entry.version_id is not None and not entry.withdrawn}
    if not finished:
        return standings(list(playing.values()), (), tournament.tie_breaks, bytes(tournament.secret))
    # The start is part of the key because a cache may outlive the database whose numbers it was filled from.
    key = f"tournament-standings/1/{tournament.pk}/{tournament.started:%Y%m%d%H%M%S%f}/{finished}"
    rows: tuple[Row, ...] | None = cache.get(key)
    if rows is None:
        results = results_of(tournament, playing)
        rows = standings(list(playing.values()), results, tournament.tie_breaks, bytes(tournament.secret))
        if len(results) == finished:  # otherwise a match ended between the two queries
            cache.set(key, rows, CACHED_SECONDS)
    return rows


def results_of(tournament: Tournament, entrants: Mapping[int, int]) -> list[Result]:
    """Every finished match; ``entrants`` gives the entry of each version."""
    seats = (
        MatchSeat.objects.filter(match__fixture__tournament=tournament, match__state=MatchState.FINISHED)
        .order_by("match_id", "index")
        .values_list("match_id", "match__blocks", "version_id", "score", "points", "wins", "faulty_games")
    )
    results = []
    for _, group in groupby(seats, key=itemgetter(0)):
        table = list(group)
        results.append(
            Result(
                games=table[0][1] * len(table),
                seats=tuple(
                    Seat(entrants[version], score or 0, game_points or 0, first or 0, forfeited)
                    for _, _, version, score, game_points, first, forfeited in table
                ),
            )
        )
    return results
