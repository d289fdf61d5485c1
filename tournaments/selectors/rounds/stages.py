"""The state of a stage, read in a fixed number of queries: its seeds, its tables with their results, and the bracket
of a knockout.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby, starmap
from math import inf
from operator import attrgetter
from typing import Any, NamedTuple

from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Subquery, When

from bots.models import VersionState
from matches.models import UNDECIDED, MatchState
from matches.models import Seat as MatchSeat
from tournaments.facts import (
    ByeGiven,
    SeatFact,
    TableFact,
    TableState,
    facts_bracket,
    facts_bracket_slot,
    facts_contenders_at,
    facts_entrants_gone,
    facts_first_seeds,
    facts_past_rounds,
    facts_results_counted,
    facts_rounds_played,
    facts_rows_by_bracket,
)
from tournaments.formats import RankedEntrant
from tournaments.formats.knockout import Bracket, BracketSlot, Heats
from tournaments.match_secrets import tournament_match_secret_luck
from tournaments.models import Bye, Entry, Fixture, Round, Stage, SupersededMatch
from tournaments.models import Bye as ByeRow
from tournaments.play_off import play_off_after
from tournaments.selectors.entering.entry_versions import entry_by_version
from tournaments.selectors.rulings.corrections import ruling_corrections_of
from tournaments.standings import Corrections, Row, ScoredBye, standings_tallied
from tournaments.trf import RoundPlayed


def stage_seeding_of(stage: Stage) -> list[int]:
    """Return the entries in the order of the stored seeds.

    If no seeds are stored, return all entries with a version, including late ones. Entries with a place on a ladder
    come first, in the order of their places. The others follow in the order of a lot.
    """
    seeds = list(stage.seeds.values_list("entry_id", flat=True))
    if seeds:
        return seeds
    entries = Entry.objects.filter(tournament=stage.tournament_id, version__isnull=False)
    places = dict(entries.values_list("pk", "ladder_place"))
    return facts_first_seeds(tournament_match_secret_luck(stage.tournament), places, places)


def stage_first_seeds(stage: Stage, entries: Iterable[int]) -> list[int]:
    """Return these entries in the order of their places on a ladder, followed by the others in the order of a lot."""
    placed = Entry.objects.filter(tournament=stage.tournament_id, ladder_place__isnull=False)
    places = dict(placed.values_list("pk", "ladder_place"))
    return facts_first_seeds(tournament_match_secret_luck(stage.tournament), entries, places)


def stage_after(stage: Stage) -> Stage | None:
    """Return the stage that follows; None if the tournament ends after this stage.

    This is the next announced stage, or else the play-off, if one is possible. The object of a play-off that has never
    begun is not saved.
    """
    tournament = stage.tournament
    stages = list(tournament.stages.order_by("number"))
    following = next((one for one in stages if one.number == stage.number + 1), None)
    if following is not None:
        return following
    terms = play_off_after(
        stage.terms,
        announced=sum(not one.kind.is_play_off for one in stages),
        tie_breaks=tournament.tie_breaks,
        ruleset=tournament.ruleset,
        options=tournament.options,
    )
    if terms is None:
        return None
    return Stage(
        tournament=tournament,
        number=terms.number,
        format=terms.format,
        players_per_table=terms.players_per_table,
        smallest_table=terms.smallest_table,
        blocks=terms.blocks,
        stopping=terms.stopping,
    )


def is_stage_round_undecided(tournament_id: int) -> bool:
    """Return whether a match of the last round is undecided.

    This is so after most matches, and the check is cheap. So it can save further work after a match.
    """
    last = Round.objects.filter(tournament=tournament_id).order_by("-number").values("pk")[:1]
    return Fixture.objects.filter(round=Subquery(last), match__state__in=UNDECIDED).exists()


STATES = {MatchState.FINISHED: TableState.FINISHED, MatchState.CANCELLED: TableState.CANCELLED}


def stage_table_facts_of(
    stage: Stage,
    entrants: Mapping[int, int],
    *,
    annulled: Sequence[int] = (),
    reasons: bool = False,
    held: Corrections | None = None,
) -> list[TableFact]:
    """Return the current tables, in the order of their matches.

    For ``entrants`` see ``stage_entrants_of``. The places in each game are read only for matches of ``annulled``
    entries. The reasons are read only with ``reasons``. With ``held``, its ``restored`` matches are included too, and
    its ``released`` matches count as still to be played.
    """
    places = _places(stage, [version for version, entry in entrants.items() if entry in annulled])
    held = held or Corrections()
    found = _read("fixture", Q(match__fixture__round__stage=stage), entrants, places, reasons, held.released)
    if held.restored:
        gone = Q(match__superseded__stage=stage, match__in=held.restored)
        found += _read("superseded", gone, entrants, places, reasons, held.restored)
    return sorted(found, key=lambda one: one.match)


def stage_superseded_tables_of(stage: Stage, entrants: Mapping[int, int]) -> list[TableFact]:
    """Return the superseded tables that can be restored, in the order in which they were superseded."""
    found = {
        one.match: one
        for one in _read("superseded", Q(match__superseded__stage=stage), entrants, {}, True, frozenset())
    }
    rows = SupersededMatch.objects.filter(stage=stage, match__in=found).order_by("pk")
    return [found[match] for match in rows.values_list("match", flat=True)]


class _SeatRow(NamedTuple):
    """A row of the query of ``_read``: a seat with its match."""

    match: int
    round: int
    table: int
    attempt: int
    state: str
    blocks: int | None
    version: int
    score: float | None
    points: int | None
    wins: int | None
    faulty_games: int
    has_forfeited: bool
    reasons: Any = None

    def fact(self, entrants: Mapping[int, int], places: Mapping[tuple[int, int], tuple[int, ...]]) -> SeatFact:
        return SeatFact(
            entrants[self.version],
            self.score or 0,
            self.points or 0,
            self.wins or 0,
            self.faulty_games,
            self.has_forfeited,
            places=places.get((self.match, self.version), ()),
        )


def _read(
    where: str,
    which: Q,
    entrants: Mapping[int, int],
    places: Mapping[tuple[int, int], tuple[int, ...]],
    reasons: bool,
    to_play: frozenset[int],
) -> list[TableFact]:
    """Read tables from the rows of "fixture" or "superseded". Cancelled matches in ``to_play`` count as open."""
    at = f"match__{where}__"
    columns = {
        "match": "match_id",
        "round": f"{at}round__number" if where == "fixture" else f"{at}round",
        "table": f"{at}table",
        "attempt": f"{at}attempt",
        "state": "match__state",
        "blocks": "match__blocks_played",
        "version": "version_id",
        **{name: name for name in ("score", "points", "wins", "faulty_games", "has_forfeited")},
    }
    extra = [Case(When(index=0, then=F(f"{at}reasons")))] if reasons else []  # long, so read only once per table
    rows = MatchSeat.objects.filter(which).order_by("match_id", "index").values_list(*columns.values(), *extra)
    tables = []
    for number, group in groupby(starmap(_SeatRow, rows), key=attrgetter("match")):
        seats = list(group)
        first = seats[0]
        tables.append(
            TableFact(
                match=number,
                round=first.round,
                table=first.table,
                attempt=first.attempt,
                state=_state(first.state, number in to_play),
                blocks=first.blocks or 0,
                seats=tuple(seat.fact(entrants, places) for seat in seats),
                reasons=first.reasons,
            )
        )
    return tables


def _state(state: str, to_play: bool) -> TableState:
    known = STATES.get(MatchState(state), TableState.OPEN)
    return TableState.OPEN if to_play and known is TableState.CANCELLED else known


def stage_bye_facts_of(stage: Stage) -> list[ByeGiven]:
    """Return the byes in the order of their rounds."""
    rows = Bye.objects.filter(round__stage=stage).order_by("round__number", "entry")
    return [ByeGiven(*row) for row in rows.values_list("round__number", "entry_id", "points")]


def _places(stage: Stage, annulled: Sequence[int]) -> dict[tuple[int, int], tuple[int, ...]]:
    """Return the places in each game, by match and version, for the matches of the ``annulled`` versions."""
    if not annulled:
        return {}
    seats = MatchSeat.objects.filter(match__fixture__round__stage=stage)
    with_them = seats.filter(match__in=seats.filter(version__in=annulled).values("match"))
    rows = with_them.values_list("match_id", "version_id", "places")
    return {(match, version): tuple(places) for match, version, places in rows}


def stage_bracket_current(stage: Stage, held: Corrections | None = None) -> Bracket | Heats:
    """Return the bracket of a stage that has begun.

    Entries that were withdrawn, or whose version is no longer accepted, count as gone. ``held`` has the corrections to
    use; by default, these are the corrections of the rulings that were made.
    """
    return stage_bracket_for(stage, _present(stage), held)


def stage_bracket_drawn(stage: Stage) -> tuple[Bracket | Heats, Mapping[BracketSlot, int]]:
    """Return the bracket of ``stage_bracket_current``, and the id of the match in each slot."""
    found, tables = _bracket(stage, _present(stage), ruling_corrections_of(stage.tournament))
    return found, {facts_bracket_slot(table): table.match for table in tables}


def stage_bracket_for(stage: Stage, present: Collection[int], held: Corrections | None = None) -> Bracket | Heats:
    """Return the bracket or the heats if the ``present`` entries play on.

    Raises:
        EntrantsError: too few entries have a seed.
    """
    return _bracket(stage, present, ruling_corrections_of(stage.tournament) if held is None else held)[0]


def _bracket(stage: Stage, present: Collection[int], held: Corrections) -> tuple[Bracket | Heats, Sequence[TableFact]]:
    seeds = stage_seeding_of(stage)
    entrants = entry_by_version(stage.tournament, Entry.objects.filter(pk__in=seeds))
    tables = stage_table_facts_of(stage, entrants, reasons=True, held=held)
    return facts_bracket(
        stage.kind, stage.terms, seeds, tables, _entrants_gone(stage, seeds, present, held), held
    ), tables


def _present(stage: Stage) -> Collection[int]:
    present = Entry.objects.filter(tournament=stage.tournament_id, is_withdrawn=False)
    return present.filter(version__state=VersionState.ACCEPTED).values_list("pk", flat=True)


def stage_byes_of(stage: Stage, held: Corrections | None = None) -> list[ByeGiven]:
    """Return the byes of a stage in the order of its rounds.

    In a knockout, these are the entries that go on without a match. This gives no points in the standings.
    """
    if not stage.kind.has_bracket:
        return stage_bye_facts_of(stage)
    rounds = stage.played.order_by("number").values_list("number", flat=True)
    passed = stage_bracket_current(stage, held).byes if rounds else ()
    return [ByeGiven(number, entrant, 0) for number, byes in zip(rounds, passed, strict=False) for entrant in byes]


def _entrants_gone(stage: Stage, seeds: Sequence[int], present: Collection[int], held: Corrections) -> list[int]:
    out = set(seeds) - set(present) - held.back
    since = dict(Entry.objects.filter(pk__in=out).values_list("pk", "withdrawn_at"))
    times = {one: moment.timestamp() if (moment := since[one]) else inf for one in out}
    return facts_entrants_gone(seeds, times, stage.finished_at.timestamp() if stage.finished_at else None, held)


def stage_rows_by_bracket(stage: Stage, rows: Sequence[Row], held: Corrections) -> tuple[Row, ...]:
    """Return the rows in the order and with the ranks of the bracket."""
    return facts_rows_by_bracket(rows, stage_bracket_current(stage, held).placings, held)


def stage_entrants_of(stage: Stage) -> dict[int, int]:
    """Return the entry of each version that takes part, or has taken part, in the stage.

    In the second and later stages, only entries that went on to the stage take part. If the tournament takes new
    versions, an entry can have several versions.
    """
    entries = Entry.objects.filter(tournament=stage.tournament_id)
    if stage.number > 1:
        entries = entries.filter(seeds__stage=stage)
    return entry_by_version(stage.tournament, entries)


def stage_scored_byes_of(stage: Stage) -> list[ScoredBye]:
    """Return the byes of rounds that have begun. The byes of a waiting round do not count yet."""
    rows = _byes(stage).order_by("round__number", "entry")
    return [ScoredBye(*row) for row in rows.values_list("entry_id", "points", "round__number")]


def _byes(stage: Stage) -> QuerySet[ByeRow]:
    """Return the byes that count.

    These are the byes of rounds that have begun, and of waiting rounds whose matches were all cancelled.
    """
    waits = Fixture.objects.filter(round=OuterRef("round"), match__state=MatchState.HELD)
    begun = Q(round__started_at__isnull=False) | ~Exists(waits)
    return ByeRow.objects.filter(begun, round__stage=stage)


def stage_contenders_of(
    stage: Stage, present: Collection[int], before: float = inf, held: Corrections | None = None
) -> list[RankedEntrant]:
    """Return the points and the history of the ``present`` entries in the stage.

    With ``before``, only rounds with lower numbers count. Only finished matches give points. ``held`` has the
    corrections to use; by default, these are the corrections of the rulings that were made.
    """
    entrants = stage_entrants_of(stage)
    held = ruling_corrections_of(stage.tournament) if held is None else held
    tables = stage_table_facts_of(
        stage, entrants, annulled=[one for one in entrants.values() if held.annulled(one)], held=held
    )
    tables = [table for table in tables if table.round < before and table.match not in held.undone]
    played = facts_results_counted(tables, held, stage.players_per_table)
    tallies = standings_tallied(
        list(dict.fromkeys(entrants.values())),
        played,
        [bye for bye in stage_scored_byes_of(stage) if bye.round < before],
    )
    points = {entry: tally.points for entry, tally in tallies.items()}
    numbers = [number for number in stage.played.values_list("number", flat=True) if number < before]
    rounds = facts_past_rounds(numbers, tables, stage_bye_facts_of(stage))
    return facts_contenders_at(points, rounds, present, stage.players_per_table)


def stage_rounds_played_of(stage: Stage, before: float = inf, held: Corrections | None = None) -> list[RoundPlayed]:
    """Return the rounds before the first one with an undecided match, see ``facts.facts_rounds_played``.

    With ``before``, only rounds with lower numbers count. ``held`` has the corrections to use; by default, these are
    the corrections of the rulings that were made.
    """
    held = ruling_corrections_of(stage.tournament) if held is None else held
    tables = [
        table
        for table in stage_table_facts_of(stage, stage_entrants_of(stage), held=held)
        if table.match not in held.undone
    ]
    rounds = [number for number in stage.played.values_list("number", flat=True) if number < before]
    return facts_rounds_played(rounds, tables, stage_byes_of(stage, held), held)
