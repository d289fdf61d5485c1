"""A knockout stage as a bracket: what was drawn and decided, read in a fixed number of queries."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter

from bots.models import VersionState
from matches.models import MatchState
from matches.models import Seat as MatchSeat
from tournaments.formats.knockout import Bracket, Kind, Place, Share, Verdict, bracket_of, verdict_of
from tournaments.models import Entry, Format, Stage
from tournaments.selectors.seeding import seeding_of
from tournaments.standings import Row

OPEN = (MatchState.HELD, MatchState.QUEUED, MatchState.RUNNING)


def bracket_as_it_is(stage: Stage) -> Bracket:
    """The bracket of a stage that has begun; whoever was withdrawn, or whose version is no longer accepted, is gone."""
    present = Entry.objects.filter(tournament=stage.tournament_id, withdrawn=False)
    return bracket_for(stage, present.filter(version__state=VersionState.ACCEPTED).values_list("pk", flat=True))


def bracket_for(stage: Stage, present: Collection[int]) -> Bracket:
    """The bracket if those ``present`` play on.

    Raises:
        EntrantsError: fewer than two have a seed.
    """
    seeds = seeding_of(stage)
    kind = Kind.DOUBLE if stage.format == Format.DOUBLE_ELIMINATION else Kind.SINGLE
    gone = set(seeds) - set(present)
    return bracket_of(kind, seeds, _results(stage, seeds), gone, stage.third_place)


def placed(stage: Stage, rows: Sequence[Row]) -> tuple[Row, ...]:
    """What the rows count, in the order and with the ranks of the bracket: no tie-break has a say in it."""
    by_entrant = {row.entrant: row for row in rows}
    return tuple(
        replace(by_entrant[one.entrant], rank=one.rank, values={}, tied_with={}, above_next_by="")
        for one in bracket_as_it_is(stage).placings
    )


def _results(stage: Stage, seeds: list[int]) -> dict[Place, Verdict | None]:
    """By place, every match that was drawn; one that was called off is decided by the seeds."""
    entrants = dict(Entry.objects.filter(pk__in=seeds).values_list("version_id", "pk"))
    numbers = {entry: number for number, entry in enumerate(seeds, start=1)}
    rows = (
        MatchSeat.objects.filter(match__fixture__round__stage=stage)
        .order_by("match_id", "index")
        .values_list(
            *("match_id", "match__state", "match__fixture__reasons"), *("version_id", "score", "points", "forfeited")
        )
    )
    results: dict[Place, Verdict | None] = {}
    for _, group in groupby(rows, key=itemgetter(0)):
        table = list(group)
        _, state, reasons, *_ = table[0]
        shares = [
            Share(entrants[version], score or 0, points or 0, numbers[entrants[version]], forfeited)
            for _, _, _, version, score, points, forfeited in table
        ]
        results[Place.read(reasons["place"])] = None if state in OPEN else verdict_of(shares[0], shares[1])
    return results
