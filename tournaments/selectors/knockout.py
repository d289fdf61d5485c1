"""A knockout stage as a bracket: what was drawn and decided, read in a fixed number of queries."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter

from bots.models import VersionState
from matches.models import MatchState
from matches.models import Seat as MatchSeat
from tournaments.formats.knockout import Bracket, Heats, Kind, Place, Share, bracket_of, heats_of, verdict_of
from tournaments.models import Entry, Format, Stage
from tournaments.selectors.corrections import corrections_of
from tournaments.selectors.seeding import seeding_of
from tournaments.standings import Corrections, Row

OPEN = (MatchState.HELD, MatchState.QUEUED, MatchState.RUNNING)


@dataclass(slots=True)
class Drawn:
    """The matches of a stage: what everyone made of each, which are not decided, and who passed a round of heats."""

    shares: dict[Place, list[Share]] = field(default_factory=dict)
    undecided: set[Place] = field(default_factory=set)
    passed: dict[int, tuple[int, ...]] = field(default_factory=dict)


def bracket_as_it_is(stage: Stage, held: Corrections | None = None) -> Bracket | Heats:
    """The bracket of a stage that has begun; whoever was withdrawn, or whose version is no longer accepted, is gone.
    ``held``: as if the rulings were these instead of those that were made."""
    present = Entry.objects.filter(tournament=stage.tournament_id, withdrawn=False)
    accepted = present.filter(version__state=VersionState.ACCEPTED)
    return bracket_for(stage, accepted.values_list("pk", flat=True), held)


def bracket_for(stage: Stage, present: Collection[int], held: Corrections | None = None) -> Bracket | Heats:
    """The bracket, or the heats, if those ``present`` play on.

    Raises:
        EntrantsError: too few have a seed.
    """
    held = corrections_of(stage.tournament) if held is None else held
    seeds = seeding_of(stage)
    gone = _gone(stage, seeds, present, held)
    drawn = _drawn(stage, seeds, held)
    if stage.in_heats:
        sizes = stage.players_per_table, stage.smallest_table
        return heats_of(seeds, *sizes, drawn.shares, drawn.undecided, drawn.passed, gone)
    kind = Kind.DOUBLE if stage.format == Format.DOUBLE_ELIMINATION else Kind.SINGLE
    results = {
        place: None if place in drawn.undecided else verdict_of(one, other)
        for place, (one, other) in drawn.shares.items()
    }
    return bracket_of(kind, seeds, results, gone, stage.third_place)


def _gone(stage: Stage, seeds: Sequence[int], present: Collection[int], held: Corrections) -> list[int]:
    """Who no longer plays on in the stage, in the order in which they left; of those who left together the better seed
    was there longer. Who left after the stage had finished has played in it to the end."""
    out = set(seeds) - set(present) - held.back
    last = datetime.max.replace(tzinfo=UTC)
    since = dict(Entry.objects.filter(pk__in=out).values_list("pk", "withdrawn_at"))
    times = {one: since[one] or datetime.min.replace(tzinfo=UTC) for one in out}
    if stage.finished is not None:
        times = {one: time for one, time in times.items() if time <= stage.finished}
    else:
        times |= dict.fromkeys(held.left, last)
    times |= {one: times.get(one, last) for one in held.disqualified}
    numbers = {one: number for number, one in enumerate(seeds)}
    return sorted(times.keys() & numbers.keys(), key=lambda one: (times[one], -numbers[one]))


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


def _drawn(stage: Stage, seeds: Sequence[int], held: Corrections) -> Drawn:
    """A match that was called off or does not count is decided by the seeds."""
    entrants = dict(Entry.objects.filter(pk__in=seeds).values_list("version_id", "pk"))
    numbers = {entry: number for number, entry in enumerate(seeds, start=1)}
    rows = (
        MatchSeat.objects.filter(match__fixture__round__stage=stage)
        .order_by("match_id", "index")
        .values_list(
            *("match_id", "match__state", "match__fixture__reasons"), *("version_id", "score", "points", "forfeited")
        )
    )
    drawn = Drawn()
    for match, group in groupby(rows, key=itemgetter(0)):
        if match in held.undone:
            continue
        table = list(group)
        _, state, reasons, *_ = table[0]
        place = Place.read(reasons["place"])
        if match in held.open or (state in OPEN and match not in held.given and match not in held.void):
            drawn.undecided.add(place)
        drawn.passed[place.round] = tuple(reasons.get("passing", ()))
        drawn.shares[place] = [
            Share(
                entrants[version],
                *_counted(match, entrants[version], score or 0, points or 0, held),
                numbers[entrants[version]],
                held.annulled(entrants[version]) or (forfeited and match not in held.given and match not in held.void),
            )
            for _, _, _, version, score, points, forfeited in table
        ]
    return drawn


def _counted(match: int, entrant: int, score: float, points: int, held: Corrections) -> tuple[float, int]:
    if match in held.given:
        return held.given[match].get(entrant, 0), 0
    return (0, 0) if match in held.void else (score, points)
