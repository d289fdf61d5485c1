"""What has been played, read in one query, and the standings folded from it."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from operator import itemgetter

from django.core.cache import cache

from matches.models import Match, MatchState
from matches.models import Seat as MatchSeat
from tournaments.models import Bye as ByeRow
from tournaments.models import Entry, Tournament
from tournaments.standings import Bye, Result, Row, Seat, standings

CACHED_SECONDS = 3600


def standings_of(tournament: Tournament, entries: Sequence[Entry]) -> tuple[Row, ...]:
    """The rows for those entries that took part, in order; kept per number of finished matches and byes."""
    byes = byes_of(tournament) if tournament.is_swiss else []
    finished = Match.objects.filter(fixture__tournament=tournament, state=MatchState.FINISHED).count()
    playing = {entry.version_id: entry.pk for entry in entries if entry.version_id is not None}
    fixed = tournament.tie_breaks, bytes(tournament.secret), byes
    if not finished:
        return standings(list(playing.values()), (), *fixed)
    # The start is part of the key because a cache may outlive the database whose numbers it was filled from.
    counted = f"{len(playing)}/{finished}/{len(byes)}"
    key = f"tournament-standings/2/{tournament.pk}/{tournament.started:%Y%m%d%H%M%S%f}/{counted}"
    rows: tuple[Row, ...] | None = cache.get(key)
    if rows is None:
        results = results_of(tournament, playing)
        rows = standings(list(playing.values()), results, *fixed)
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
                worth=Fraction(tournament.players_per_table - 1, len(table) - 1),
                seats=tuple(
                    Seat(entrants[version], score or 0, game_points or 0, first or 0, forfeited)
                    for _, _, version, score, game_points, first, forfeited in table
                ),
            )
        )
    return results


def byes_of(tournament: Tournament) -> list[Bye]:
    """Every bye that was given."""
    rows = ByeRow.objects.filter(tournament=tournament).order_by("round", "entry")
    return [Bye(entry, points) for entry, points in rows.values_list("entry_id", "points")]
