"""What has been played, read in one query, and the standings folded from it."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import groupby
from operator import itemgetter

from django.core.cache import cache

from matches.models import Match, MatchState
from matches.models import Seat as MatchSeat
from tournaments.models import Bye as ByeRow
from tournaments.models import Entry, Stage
from tournaments.selectors.knockout import placed
from tournaments.standings import Bye, Result, Row, Seat, standings

CACHED_SECONDS = 3600
SEAT_FIELDS = ("score", "points", "wins", "faulty_games", "forfeited")


def entrants_of(stage: Stage) -> dict[int, int]:
    """The entry of each version that takes, or took, part in the stage; in a later one, those that went on to it."""
    entries = Entry.objects.filter(tournament=stage.tournament_id, version__isnull=False)
    if stage.number > 1:
        entries = entries.filter(seeds__stage=stage)
    return dict(entries.values_list("version_id", "pk"))


def standings_of(stage: Stage) -> tuple[Row, ...]:
    """The rows for those entries that took part, in order; of a knockout the places it gave, shared by those who went
    out in the same round."""
    rows = _folded(stage)
    return placed(stage, rows) if stage.is_knockout and stage.started else rows


def _folded(stage: Stage) -> tuple[Row, ...]:
    """By points and tie-breaks; kept per number of finished matches and byes."""
    tournament, entrants, byes = stage.tournament, entrants_of(stage), byes_of(stage)
    finished = Match.objects.filter(fixture__round__stage=stage, state=MatchState.FINISHED).count()
    fixed = tournament.tie_breaks, bytes(tournament.secret), byes
    if not finished or stage.started is None:
        return standings(list(entrants.values()), (), *fixed)
    # The start is part of the key because a cache may outlive the database whose numbers it was filled from.
    counted = f"{len(entrants)}/{finished}/{len(byes)}"
    key = f"stage-standings/2/{stage.pk}/{stage.started:%Y%m%d%H%M%S%f}/{counted}"
    rows: tuple[Row, ...] | None = cache.get(key)
    if rows is None:
        results = results_of(stage, entrants)
        rows = standings(list(entrants.values()), results, *fixed)
        if len(results) == finished:  # otherwise a match ended between the two queries
            cache.set(key, rows, CACHED_SECONDS)
    return rows


def results_of(stage: Stage, entrants: Mapping[int, int]) -> list[Result]:
    """Every finished match; ``entrants`` as by ``entrants_of``."""
    seats = (
        MatchSeat.objects.filter(match__fixture__round__stage=stage, match__state=MatchState.FINISHED)
        .order_by("match_id", "index")
        .values_list("match_id", "match__blocks_played", "version_id", *SEAT_FIELDS)
    )
    results = []
    for _, group in groupby(seats, key=itemgetter(0)):
        table = list(group)
        results.append(
            Result(
                games=(table[0][1] or 0) * len(table),
                worth=Fraction(stage.players_per_table - 1, len(table) - 1),
                seats=tuple(
                    Seat(entrants[version], score or 0, game_points or 0, first or 0, at_fault, forfeited)
                    for _, _, version, score, game_points, first, at_fault, forfeited in table
                ),
            )
        )
    return results


def byes_of(stage: Stage) -> list[Bye]:
    """Every bye that was given."""
    rows = ByeRow.objects.filter(round__stage=stage).order_by("round__number", "entry")
    return [Bye(entry, points) for entry, points in rows.values_list("entry_id", "points")]
