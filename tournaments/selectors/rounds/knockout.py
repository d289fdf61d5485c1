"""A knockout stage as a bracket: what was drawn and decided, read in a fixed number of queries."""

from collections.abc import Collection, Mapping, Sequence
from math import inf

from bots.models import VersionState
from tournaments.facts import ByeGiven, TableFact, bracket, entrants_gone, place_of, rows_by_bracket
from tournaments.formats.knockout import Bracket, BracketSlot, Heats
from tournaments.models import Entry, Stage
from tournaments.selectors.entering.versions import entry_by_version
from tournaments.selectors.rounds.stages import seeding_of
from tournaments.selectors.rounds.tables import bye_facts_of, tables_of
from tournaments.selectors.rulings.corrections import corrections_of
from tournaments.standings import Corrections, Row


def bracket_as_it_is(stage: Stage, held: Corrections | None = None) -> Bracket | Heats:
    """Return the bracket of a stage that has begun; an entrant who was withdrawn, or whose version is no longer
    accepted, is gone. ``held``: as if the rulings were these instead of those that were made."""
    return bracket_for(stage, _present(stage), held)


def bracket_drawn(stage: Stage) -> tuple[Bracket | Heats, Mapping[BracketSlot, int]]:
    """Return the same bracket, and the primary keys of its matches by their places."""
    found, tables = _bracket(stage, _present(stage), corrections_of(stage.tournament))
    return found, {place_of(table): table.match for table in tables}


def bracket_for(stage: Stage, present: Collection[int], held: Corrections | None = None) -> Bracket | Heats:
    """Return the bracket, or the heats, if those ``present`` play on.

    Raises:
        EntrantsError: too few have a seed.
    """
    return _bracket(stage, present, corrections_of(stage.tournament) if held is None else held)[0]


def _bracket(stage: Stage, present: Collection[int], held: Corrections) -> tuple[Bracket | Heats, Sequence[TableFact]]:
    seeds = seeding_of(stage)
    entrants = entry_by_version(stage.tournament, Entry.objects.filter(pk__in=seeds))
    tables = tables_of(stage, entrants, reasons=True, held=held)
    return bracket(stage.kind, stage.terms, seeds, tables, _gone(stage, seeds, present, held), held), tables


def _present(stage: Stage) -> Collection[int]:
    present = Entry.objects.filter(tournament=stage.tournament_id, is_withdrawn=False)
    return present.filter(version__state=VersionState.ACCEPTED).values_list("pk", flat=True)


def byes_of(stage: Stage, held: Corrections | None = None) -> list[ByeGiven]:
    """Return the byes of a stage in the order of its rounds; of a knockout those who passed a round without a match,
    for which its standings give no points."""
    if not stage.kind.has_bracket:
        return bye_facts_of(stage)
    rounds = stage.played.order_by("number").values_list("number", flat=True)
    passed = bracket_as_it_is(stage, held).byes if rounds else ()
    return [ByeGiven(number, entrant, 0) for number, byes in zip(rounds, passed, strict=False) for entrant in byes]


def _gone(stage: Stage, seeds: Sequence[int], present: Collection[int], held: Corrections) -> list[int]:
    out = set(seeds) - set(present) - held.back
    since = dict(Entry.objects.filter(pk__in=out).values_list("pk", "withdrawn_at"))
    times = {one: moment.timestamp() if (moment := since[one]) else inf for one in out}
    return entrants_gone(seeds, times, stage.finished_at.timestamp() if stage.finished_at else None, held)


def placed_of(stage: Stage, rows: Sequence[Row], held: Corrections) -> tuple[Row, ...]:
    """Return what the rows count, in the order and with the ranks of the bracket."""
    return rows_by_bracket(rows, bracket_as_it_is(stage, held).placings, held)
