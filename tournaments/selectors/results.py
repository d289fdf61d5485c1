"""What has been played, read in one query, and the standings folded from it and from what was ruled."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from operator import itemgetter

from django.core.cache import caches
from django.db.models import Q

from matches.models import Match, MatchState
from matches.models import Seat as MatchSeat
from tournaments.models import Bye as ByeRow
from tournaments.models import Entry, Stage
from tournaments.selectors.corrections import corrections_of, rulings_of
from tournaments.selectors.knockout import placed
from tournaments.standings import (
    Bye,
    Corrections,
    Course,
    Drawn,
    Field,
    Result,
    Row,
    Seat,
    corrected,
    corrections,
    standings,
    tallied,
)

CACHED_SECONDS = 3600
UNDECIDED = (MatchState.HELD, MatchState.QUEUED, MatchState.RUNNING)
SEAT_FIELDS = ("score", "points", "wins", "faulty_games", "forfeited")


def entrants_of(stage: Stage) -> dict[int, int]:
    """The entry of each version that takes, or took, part in the stage; in a later one, those that went on to it."""
    entries = Entry.objects.filter(tournament=stage.tournament_id, version__isnull=False)
    if stage.number > 1:
        entries = entries.filter(seeds__stage=stage)
    return dict(entries.values_list("version_id", "pk"))


def standings_of(stage: Stage, held: Corrections | None = None) -> tuple[Row, ...]:
    """The rows for those entries that took part, in order; of a knockout the places it gave, shared by those who went
    out in the same round. ``held``: as if the rulings were these instead of those that were made."""
    if held is None:
        rulings = rulings_of(stage.tournament)
        held, ruled = corrections(rulings), len(rulings)
        rows = _kept(stage, held, ruled)
    else:
        rows = _folded(stage, held)
    return placed(stage, rows, held) if stage.is_knockout and stage.started else rows


def _kept(stage: Stage, held: Corrections, ruled: int) -> tuple[Row, ...]:
    """By points and tie-breaks; kept per number of finished matches, rounds, byes and rulings."""
    finished = Match.objects.filter(fixture__round__stage=stage, state=MatchState.FINISHED)
    count = finished.count()
    if not (count or held.given) or stage.started is None:
        return _folded(stage, held)
    entered = Entry.objects.filter(tournament=stage.tournament_id, version__isnull=False).count()
    # The start is part of the key because a cache may outlive the database whose numbers it was filled from.
    begun = stage.played.filter(started__isnull=False).count()
    counted = f"{entered}/{count}/{begun}/{ByeRow.objects.filter(round__stage=stage).count()}/{ruled}"
    key = f"stage-standings/5/{stage.pk}/{stage.started:%Y%m%d%H%M%S%f}/{counted}"
    rows: tuple[Row, ...] | None = caches["optional"].get(key)
    if rows is None:
        rows = _folded(stage, held)
        if finished.count() == count:  # otherwise a match ended between the queries
            caches["optional"].set(key, rows, CACHED_SECONDS)
    return rows


def _folded(stage: Stage, held: Corrections) -> tuple[Row, ...]:
    """By points and tie-breaks."""
    tournament, entrants, byes = stage.tournament, entrants_of(stage), byes_of(stage)
    results = results_of(stage, entrants, held) if stage.started else []
    fixed = tournament.tie_breaks, bytes(tournament.secret), byes
    course = course_of(stage, entrants, held)
    return standings(list(entrants.values()), results, *fixed, frozenset(held.disqualified), course)


def field_of(stage: Stage) -> Field:
    """What every tie-break of the stage is reckoned from."""
    entrants = entrants_of(stage)
    results = results_of(stage, entrants) if stage.started else []
    tallies = tallied(sorted(entrants.values()), results, byes_of(stage))
    return Field(tallies, bytes(stage.tournament.secret), course_of(stage, entrants, corrections_of(stage.tournament)))


def course_of(stage: Stage, entrants: Mapping[int, int], held: Corrections) -> Course | None:
    """Return the rounds that have begun, for FIDE's tie-breaks; None for what is no Swiss for two."""
    if not stage.has_fide_tie_breaks:
        return None
    seats = MatchSeat.objects.filter(match__fixture__round__stage=stage, match__fixture__round__started__isnull=False)
    seated: defaultdict[int, set[int]] = defaultdict(set)
    pending: defaultdict[int, set[int]] = defaultdict(set)
    for number, match, state, version in seats.values_list(
        "match__fixture__round__number", "match_id", "match__state", "version_id"
    ):
        seated[number].add(entrants[version])
        if state in UNDECIDED and match not in held.given:
            pending[number].add(entrants[version])
    rounds = [Drawn(number, frozenset(seated[number]), frozenset(pending[number])) for number in sorted(seated)]
    return Course(tuple(rounds), stage.rounds)


def results_of(stage: Stage, entrants: Mapping[int, int], held: Corrections | None = None) -> list[Result]:
    """Every match that counts, as it counts; ``entrants`` as by ``entrants_of``, ``held`` as by ``corrections_of``."""
    held = corrections_of(stage.tournament) if held is None else held
    decided = Q(match__state=MatchState.FINISHED) | Q(match__in=list(held.given))
    seats = (
        MatchSeat.objects.filter(decided, match__fixture__round__stage=stage)
        .order_by("match_id", "index")
        .values_list("match_id", "match__blocks_played", "match__fixture__round__number", "version_id", *SEAT_FIELDS)
    )
    places = _places(stage, [version for version, entry in entrants.items() if held.annulled(entry)])
    results = []
    for match, group in groupby(seats, key=itemgetter(0)):
        table = list(group)
        results.append(
            Result(
                games=(table[0][1] or 0) * len(table),
                worth=Fraction(stage.players_per_table - 1, len(table) - 1),
                seats=tuple(
                    Seat(
                        *(entrants[version], score or 0, game_points or 0, first or 0, at_fault, forfeited),
                        places=places.get((match, version), ()),
                    )
                    for _, _, _, version, score, game_points, first, at_fault, forfeited in table
                ),
                match=match,
                round=table[0][2],
            )
        )
    return corrected(results, held)


def _places(stage: Stage, annulled: Sequence[int]) -> dict[tuple[int, int], tuple[int, ...]]:
    """By match and version, game by game, in the matches at which the ``annulled`` versions sat."""
    if not annulled:
        return {}
    seats = MatchSeat.objects.filter(match__fixture__round__stage=stage)
    with_them = seats.filter(match__in=seats.filter(version__in=annulled).values("match"))
    rows = with_them.values_list("match_id", "version_id", "places")
    return {(match, version): tuple(places) for match, version, places in rows}


def byes_of(stage: Stage) -> list[Bye]:
    """Every bye that was given."""
    rows = ByeRow.objects.filter(round__stage=stage).order_by("round__number", "entry")
    return [Bye(*row) for row in rows.values_list("entry_id", "points", "round__number")]
