"""The standings of a tournament, computed from results and rulings, and their snapshots for readers.

Services, proofs and exports compute the standings with ``standings_of``, so that they are never stale.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final

import msgspec
from celery import current_app
from django.db.models import Exists, OuterRef, Q, QuerySet

from matches.models import Analysis, Game, MatchState
from matches.queue.dispatch import UNREACHABLE
from tournaments.facts import facts_course_at, facts_results_counted
from tournaments.match_secrets import tournament_match_luck
from tournaments.models import PLAYING, Entry, Fixture, Stage, Tournament
from tournaments.models import Bye as ByeRow
from tournaments.models.tournament import TOURNAMENT
from tournaments.pushed_rows import tournament_standings_push
from tournaments.selectors.entering.versions import entry_by_version
from tournaments.selectors.rounds.stages import stage_bracket_rows, stage_tables_of
from tournaments.selectors.rulings.corrections import ruling_corrections_of
from tournaments.standings import (
    PLAY_OFF,
    Corrections,
    Result,
    Row,
    ScoredBye,
    TieBreakField,
    UnplayedRounds,
    standings_play_off_places,
    standings_table,
    standings_tallied,
)
from web import boards
from web.database import database_now
from web.snapshots import Lines, SnapshotKey, SnapshotPart, StoredPart, snapshot_table_decode, snapshot_table_encode


def stage_entrants_of(stage: Stage) -> dict[int, int]:
    """Return the entry of each version that takes or took part in the stage. In a later stage these are the entries
    that went on to it. If the tournament takes new versions, an entry can have several versions.
    """
    entries = Entry.objects.filter(tournament=stage.tournament_id)
    if stage.number > 1:
        entries = entries.filter(seeds__stage=stage)
    return entry_by_version(stage.tournament, entries)


def standings_of(stage: Stage, held: Corrections | None = None) -> tuple[Row, ...]:
    """Compute the rows of the entries that took part, in order. Pages read ``standings_snapshot`` instead.

    In a knockout, entries that were eliminated in the same round share a place. ``held`` replaces the corrections by
    the rulings that were made.
    """
    held = ruling_corrections_of(stage.tournament) if held is None else held
    return _computed(stage, held, _play_off(stage, held))


def _play_off(stage: Stage, held: Corrections) -> Mapping[int, int]:
    """Return the places in the play-off after the stage; empty if there is no play-off."""
    breaks = stage.tournament.tie_breaks
    after = stage.tournament.stages.filter(number=stage.number + 1, started_at__isnull=False)
    met = next((one for one in after if one.kind.is_play_off), None) if PLAY_OFF in breaks else None
    return {} if met is None else standings_play_off_places(standings_of(met, held), breaks)


def _computed(stage: Stage, held: Corrections, play_off: Mapping[int, int]) -> tuple[Row, ...]:
    """Return the rows by points and tie-breaks, or by the places of the bracket in a knockout."""
    rows = _folded(stage, held, play_off)
    return stage_bracket_rows(stage, rows, held) if stage.kind.has_bracket and stage.started_at else rows


def _folded(stage: Stage, held: Corrections, play_off: Mapping[int, int]) -> tuple[Row, ...]:
    """Return the rows by points and tie-breaks."""
    tournament, entrants, byes = stage.tournament, stage_entrants_of(stage), stage_scored_byes_of(stage)
    played, course = _results_played(stage, entrants, held)
    fixed = tournament.tie_breaks, tournament_match_luck(tournament), byes
    return standings_table(
        list(dict.fromkeys(entrants.values())), played, *fixed, frozenset(held.disqualified), course, play_off
    )


def tie_break_field_of(stage: Stage) -> TieBreakField:
    """Return the data from which all tie-breaks of the stage are calculated."""
    entrants, held = stage_entrants_of(stage), ruling_corrections_of(stage.tournament)
    played, course = _results_played(stage, entrants, held)
    tallies = standings_tallied(sorted(set(entrants.values())), played, stage_scored_byes_of(stage))
    return TieBreakField(tallies, tournament_match_luck(stage.tournament), course, _play_off(stage, held))


def stage_results_of(stage: Stage, entrants: Mapping[int, int], held: Corrections | None = None) -> list[Result]:
    """Return the results that count, with corrections. ``entrants``: see ``stage_entrants_of``. ``held``: see
    ``ruling_corrections_of``.
    """
    return _results_played(stage, entrants, ruling_corrections_of(stage.tournament) if held is None else held)[0]


def _results_played(
    stage: Stage, entrants: Mapping[int, int], held: Corrections
) -> tuple[list[Result], UnplayedRounds | None]:
    """Return the results that count, and for a stage with FIDE's tie-breaks the rounds that have begun."""
    if not stage.started_at:
        return [], None
    annulled = [one for one in entrants.values() if held.annulled(one)]
    tables = stage_tables_of(stage, entrants, annulled=annulled, held=held)
    tables = [table for table in tables if table.match not in held.undone]
    course = None
    if stage.has_fide_tie_breaks:
        begun = stage.played.filter(started_at__isnull=False).values_list("number", flat=True)
        course = facts_course_at(list(begun), tables, held, stage.rounds)
    return facts_results_counted(tables, held, stage.players_per_table), course


def stage_scored_byes_of(stage: Stage) -> list[ScoredBye]:
    """Return the byes of rounds that have begun. Byes of a waiting round do not count yet, like its matches."""
    rows = _byes(stage).order_by("round__number", "entry")
    return [ScoredBye(*row) for row in rows.values_list("entry_id", "points", "round__number")]


def _byes(stage: Stage) -> QuerySet[ByeRow]:
    """Return the byes that count: those of rounds that have begun, and of rounds without held matches, because all
    were cancelled.
    """
    waits = Fixture.objects.filter(round=OuterRef("round"), match__state=MatchState.HELD)
    begun = Q(round__started_at__isnull=False) | ~Exists(waits)
    return ByeRow.objects.filter(begun, round__stage=stage)


logger = logging.getLogger(__name__)

REFRESH_TASK: Final = "tournaments.refresh_snapshots"
EXPIRES: Final = 10  # seconds, after which a reader computes the snapshot
REFRESH_RATIO: Final = 20  # at most a twentieth of the time is spent on computing standings
TIED_WITH: Final = Row._fields.index("tied_with")
FORM: Final = 1  # version of the payload: increment it when ``Row`` or its encoding changes


def standings_snapshot_key(tournament_id: int, part: str) -> SnapshotKey:
    return SnapshotKey(str(TOURNAMENT.numbered(tournament_id)), part)


def tournament_revision_moment(tournament_id: int) -> tuple[int, datetime]:
    """Return the revision of a tournament and the database's time. Call it before reading anything else."""
    moment: tuple[int, datetime] = (
        Tournament.objects.filter(pk=tournament_id).values_list("revision", database_now()).get()
    )
    return moment


def tournament_snapshot_refresh_send(what: str, pk: int, wait: float) -> None:
    """Send a task that refreshes the snapshot ``what`` in ``wait`` seconds.

    ``pk`` is the primary key of a stage for "standings" and "tables", and of a tournament for "ratings" and "adjusted".
    If the broker is unreachable, log the error: then a reader computes the snapshot.
    """
    try:
        current_app.send_task(REFRESH_TASK, [what, pk], countdown=wait or None, expires=wait + EXPIRES)
    except UNREACHABLE:
        logger.exception("the broker took no message; %s of %d are computed by a reader", what, pk)


def awaits_tournament_analyses(tournament: Tournament) -> bool:
    """Return whether a finished game is still to be analysed; False if the tournament has no value function."""
    if not tournament.luck_value:
        return False
    analysed = Analysis.objects.filter(game=OuterRef("pk"), value=tournament.luck_value)
    analysed = analysed.filter(Q(told__isnull=False) | Q(is_kept=False))
    games = Game.objects.filter(match__fixture__round__tournament=tournament, match__state=MatchState.FINISHED)
    return games.filter(~Exists(analysed)).exists()


def standings_snapshot(stage: Stage) -> StoredPart[Sequence[Row]]:
    """Return the rows of a stage for a reader. They may be stale only while the tournament is being played and has more
    entries than a page of a board."""
    if stage.started_at is None:
        revision, now = tournament_revision_moment(stage.tournament_id)
        return StoredPart(standings_of(stage), revision, now, now)
    is_played = stage.tournament.state in PLAYING
    return standings_part(stage).read(lambda rows: is_played and len(rows) > boards.BOARD_ROWS)


def standings_part(stage: Stage) -> SnapshotPart[Sequence[Row]]:
    return SnapshotPart(
        key=standings_snapshot_key(stage.tournament_id, f"standings.{stage.pk}"),
        moment=partial(tournament_revision_moment, stage.tournament_id),
        compute=lambda: standings_of(stage),
        encode=_encode,
        decode=_decode,
        send=partial(tournament_snapshot_refresh_send, "standings", stage.pk),
        refresh_ratio=REFRESH_RATIO,
        stored=partial(tournament_standings_push, stage),
    )


def _encode(rows: Sequence[Row]) -> bytes:
    """Encode the rows as a table. Its head has each group of tied entries once; rows have numbers of groups."""
    numbers: dict[int, int] = {}  # by identity, because hashing large groups would take longer than everything else
    groups: list[tuple[int, ...]] = []
    lines: list[list[object]] = []
    for row in rows:
        for tied in row.tied_with.values():
            if numbers.setdefault(id(tied), len(groups)) == len(groups):
                groups.append(tied)
        lines.append([*row])
        lines[-1][TIED_WITH] = {code: numbers[id(tied)] for code, tied in row.tied_with.items()}
    return snapshot_table_encode(FORM, groups, lines)


def _decode(payload: bytes) -> Sequence[Row]:
    groups, lines = snapshot_table_decode(payload, FORM, list[tuple[int, ...]])
    return Lines(lines, partial(_standings_row, groups))


def _standings_row(groups: Sequence[tuple[int, ...]], line: msgspec.Raw) -> Row:
    fields = _DECODE(line)
    fields[TIED_WITH] = {code: groups[number] for code, number in fields[TIED_WITH].items()}
    return Row(*fields)


_DECODE: Final[Callable[[msgspec.Raw], Any]] = msgspec.msgpack.Decoder().decode  # untyped: keeps integers
