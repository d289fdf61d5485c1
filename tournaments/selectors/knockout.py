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
from tournaments.selectors.corrections import corrections_of
from tournaments.selectors.seeding import seeding_of
from tournaments.standings import Corrections, Row

OPEN = (MatchState.HELD, MatchState.QUEUED, MatchState.RUNNING)


def bracket_as_it_is(stage: Stage, held: Corrections | None = None) -> Bracket:
    """The bracket of a stage that has begun; whoever was withdrawn, or whose version is no longer accepted, is gone.
    ``held``: as if the rulings were these instead of those that were made."""
    present = Entry.objects.filter(tournament=stage.tournament_id, withdrawn=False)
    accepted = present.filter(version__state=VersionState.ACCEPTED)
    return bracket_for(stage, accepted.values_list("pk", flat=True), held)


def bracket_for(stage: Stage, present: Collection[int], held: Corrections | None = None) -> Bracket:
    """The bracket if those ``present`` play on.

    Raises:
        EntrantsError: fewer than two have a seed.
    """
    held = corrections_of(stage.tournament) if held is None else held
    seeds = seeding_of(stage)
    kind = Kind.DOUBLE if stage.format == Format.DOUBLE_ELIMINATION else Kind.SINGLE
    gone = set(seeds) - set(present) | set(held.disqualified) | held.left
    return bracket_of(kind, seeds, _results(stage, seeds, held), gone, stage.third_place)


def placed(stage: Stage, rows: Sequence[Row], held: Corrections) -> tuple[Row, ...]:
    """What the rows count, in the order and with the ranks of the bracket: no tie-break has a say in it. Whoever is
    disqualified comes last, and those below move up."""
    by_entrant = {row.entrant: row for row in rows}
    placings = bracket_as_it_is(stage, held).placings
    counted = [one for one in placings if one.entrant not in held.disqualified]
    ranks = {one.entrant: 1 + sum(other.rank < one.rank for other in counted) for one in counted}
    last = [one for one in placings if one.entrant in held.disqualified]
    return tuple(
        replace(
            by_entrant[one.entrant],
            rank=ranks.get(one.entrant, len(counted) + 1),
            values={},
            tied_with={},
            above_next_by="",
        )
        for one in (*counted, *last)
    )


def _results(stage: Stage, seeds: list[int], held: Corrections) -> dict[Place, Verdict | None]:
    """By place, every match that was drawn; one that was called off or does not count is decided by the seeds."""
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
    for match, group in groupby(rows, key=itemgetter(0)):
        if match in held.undone:
            continue
        table = list(group)
        _, state, reasons, *_ = table[0]
        undecided = match in held.open or (state in OPEN and match not in held.given and match not in held.void)
        shares = [
            Share(
                entrants[version],
                *_counted(match, entrants[version], score or 0, points or 0, held),
                numbers[entrants[version]],
                held.annulled(entrants[version]) or (forfeited and match not in held.given and match not in held.void),
            )
            for _, _, _, version, score, points, forfeited in table
        ]
        results[Place.read(reasons["place"])] = None if undecided else verdict_of(shares[0], shares[1])
    return results


def _counted(match: int, entrant: int, score: float, points: int, held: Corrections) -> tuple[float, int]:
    if match in held.given:
        return held.given[match].get(entrant, 0), 0
    return (0, 0) if match in held.void else (score, points)
