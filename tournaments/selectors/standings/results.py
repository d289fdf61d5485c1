"""What has been played, read in one query, and the standings folded from it and from what was ruled."""

from collections.abc import Mapping

from django.db.models import Exists, OuterRef, Q, QuerySet

from matches.models import MatchState
from tournaments.facts import counted_results, course_at
from tournaments.match_secrets import luck_of
from tournaments.models import Bye as ByeRow
from tournaments.models import Entry, Fixture, Stage
from tournaments.selectors.entering.versions import entry_by_version
from tournaments.selectors.rounds.knockout import placed_of
from tournaments.selectors.rounds.tables import tables_of
from tournaments.selectors.rulings.corrections import corrections_of
from tournaments.standings import (
    PLAY_OFF,
    Corrections,
    Result,
    Row,
    ScoredBye,
    TieBreakField,
    UnplayedRounds,
    play_off_places,
    standings,
    tallied,
)


def entrants_of(stage: Stage) -> dict[int, int]:
    """Return the entry of each version that takes, or took, part in the stage; in a later one, those that went on to
    it. Where bots may be updated several versions are of one entry.
    """
    entries = Entry.objects.filter(tournament=stage.tournament_id)
    if stage.number > 1:
        entries = entries.filter(seeds__stage=stage)
    return entry_by_version(stage.tournament, entries)


def standings_of(stage: Stage, held: Corrections | None = None) -> tuple[Row, ...]:
    """Return the rows for those entries that took part, in order; of a knockout the places it gave, shared by those who
    went out in the same round. They are folded from the database as it is: pages read ``standings_snapshot`` instead.
    ``held``: as if the rulings were these instead of those that were made.
    """
    held = corrections_of(stage.tournament) if held is None else held
    return _computed(stage, held, _play_off(stage, held))


def _play_off(stage: Stage, held: Corrections) -> Mapping[int, int]:
    """Return the places in the play-off after the stage; none where there is none."""
    breaks = stage.tournament.tie_breaks
    after = stage.tournament.stages.filter(number=stage.number + 1, started_at__isnull=False)
    met = next((one for one in after if one.kind.is_play_off), None) if PLAY_OFF in breaks else None
    return {} if met is None else play_off_places(standings_of(met, held), breaks)


def _computed(stage: Stage, held: Corrections, play_off: Mapping[int, int]) -> tuple[Row, ...]:
    """Return the rows by points and tie-breaks, of a knockout by the places of its bracket."""
    rows = _folded(stage, held, play_off)
    return placed_of(stage, rows, held) if stage.kind.has_bracket and stage.started_at else rows


def _folded(stage: Stage, held: Corrections, play_off: Mapping[int, int]) -> tuple[Row, ...]:
    """Return the rows by points and tie-breaks."""
    tournament, entrants, byes = stage.tournament, entrants_of(stage), scored_byes_of(stage)
    played, course = _played(stage, entrants, held)
    fixed = tournament.tie_breaks, luck_of(tournament), byes
    return standings(
        list(dict.fromkeys(entrants.values())), played, *fixed, frozenset(held.disqualified), course, play_off
    )


def field_of(stage: Stage) -> TieBreakField:
    """Return what every tie-break of the stage is reckoned from."""
    entrants, held = entrants_of(stage), corrections_of(stage.tournament)
    played, course = _played(stage, entrants, held)
    tallies = tallied(sorted(set(entrants.values())), played, scored_byes_of(stage))
    return TieBreakField(tallies, luck_of(stage.tournament), course, _play_off(stage, held))


def results_of(stage: Stage, entrants: Mapping[int, int], held: Corrections | None = None) -> list[Result]:
    """Return every match that counts, as it counts; ``entrants`` as by ``entrants_of``, ``held`` as by
    ``corrections_of``.
    """
    return _played(stage, entrants, corrections_of(stage.tournament) if held is None else held)[0]


def _played(stage: Stage, entrants: Mapping[int, int], held: Corrections) -> tuple[list[Result], UnplayedRounds | None]:
    """Return the results that count, and of a Swiss for two the rounds that have begun."""
    if not stage.started_at:
        return [], None
    annulled = [one for one in entrants.values() if held.annulled(one)]
    tables = tables_of(stage, entrants, annulled=annulled, held=held)
    tables = [table for table in tables if table.match not in held.undone]
    course = None
    if stage.has_fide_tie_breaks:
        begun = stage.played.filter(started_at__isnull=False).values_list("number", flat=True)
        course = course_at(list(begun), tables, held, stage.rounds)
    return counted_results(tables, held, stage.players_per_table), course


def scored_byes_of(stage: Stage) -> list[ScoredBye]:
    """Return every bye of a round that has begun: one that waits is worth nothing yet, as its matches are."""
    rows = _byes(stage).order_by("round__number", "entry")
    return [ScoredBye(*row) for row in rows.values_list("entry_id", "points", "round__number")]


def _byes(stage: Stage) -> QuerySet[ByeRow]:
    """Return the byes that count; of a round in which no match is left to be let go, because all were called off, they
    count too.
    """
    waits = Fixture.objects.filter(round=OuterRef("round"), match__state=MatchState.HELD)
    begun = Q(round__started_at__isnull=False) | ~Exists(waits)
    return ByeRow.objects.filter(begun, round__stage=stage)
