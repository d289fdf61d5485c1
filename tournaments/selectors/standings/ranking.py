"""The standings of each stage, which are computed from results and rulings, and their snapshots.

Also the final ranking and the certificates.
"""

import logging
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import takewhile
from typing import Any, Final

import msgspec
from celery import current_app

from matches.queue.dispatch import UNREACHABLE
from tournaments.facts import facts_course_at, facts_results_counted
from tournaments.match_secrets import tournament_match_secret_luck
from tournaments.models import PLAYING, Entry, Stage, Tournament, TournamentState
from tournaments.models.tournament import TOURNAMENT
from tournaments.pushed_rows import tournament_standings_push
from tournaments.selectors.entering.entry_versions import entries_shown
from tournaments.selectors.entering.registration import registration_categories_of
from tournaments.selectors.rounds.stages import (
    stage_entrants_of,
    stage_rows_by_bracket,
    stage_scored_byes_of,
    stage_table_facts_of,
)
from tournaments.selectors.rulings.corrections import ruling_corrections_of
from tournaments.standings import (
    PLAY_OFF,
    CategoryPlace,
    Corrections,
    Placed,
    Result,
    Row,
    TieBreakField,
    UnplayedRounds,
    final_ranking,
    standings_category_places,
    standings_play_off_places,
    standings_table,
    standings_tallied,
)
from web import boards
from web.boards import Paged
from web.database import database_now
from web.snapshots import Lines, SnapshotKey, SnapshotPart, StoredPart, snapshot_table_decode, snapshot_table_encode


def standings_of(stage: Stage, held: Corrections | None = None) -> tuple[Row, ...]:
    """Compute the rows of the entries that took part, in order. Pages read ``standings_snapshot`` instead.

    In a knockout, entries that were eliminated in the same round share a place. ``held`` has the corrections to use; by
    default, these are the corrections of the rulings that were made.
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
    """Return the rows, ordered by points and tie-breaks; in a knockout, by the places in the bracket."""
    rows = _folded(stage, held, play_off)
    return stage_rows_by_bracket(stage, rows, held) if stage.kind.has_bracket and stage.started_at else rows


def _folded(stage: Stage, held: Corrections, play_off: Mapping[int, int]) -> tuple[Row, ...]:
    """Return the rows, ordered by points and tie-breaks."""
    tournament, entrants, byes = stage.tournament, stage_entrants_of(stage), stage_scored_byes_of(stage)
    played, course = _results_played(stage, entrants, held)
    fixed = tournament.tie_breaks, tournament_match_secret_luck(tournament), byes
    return standings_table(
        list(dict.fromkeys(entrants.values())), played, *fixed, frozenset(held.disqualified), course, play_off
    )


def standings_tie_break_field_of(stage: Stage) -> TieBreakField:
    """Return the data from which all tie-breaks of the stage are calculated."""
    entrants, held = stage_entrants_of(stage), ruling_corrections_of(stage.tournament)
    played, course = _results_played(stage, entrants, held)
    tallies = standings_tallied(sorted(set(entrants.values())), played, stage_scored_byes_of(stage))
    return TieBreakField(tallies, tournament_match_secret_luck(stage.tournament), course, _play_off(stage, held))


def stage_results_of(stage: Stage, entrants: Mapping[int, int], held: Corrections | None = None) -> list[Result]:
    """Return the results that count, with the corrections ``held`` applied.

    By default, these are those of ``ruling_corrections_of``. For ``entrants`` see ``stage_entrants_of``.
    """
    return _results_played(stage, entrants, ruling_corrections_of(stage.tournament) if held is None else held)[0]


def _results_played(
    stage: Stage, entrants: Mapping[int, int], held: Corrections
) -> tuple[list[Result], UnplayedRounds | None]:
    """Return the results that count. For a stage with FIDE's tie-breaks, also return the rounds that have begun."""
    if not stage.started_at:
        return [], None
    annulled = [one for one in entrants.values() if held.annulled(one)]
    tables = stage_table_facts_of(stage, entrants, annulled=annulled, held=held)
    tables = [table for table in tables if table.match not in held.undone]
    course = None
    if stage.has_fide_tie_breaks:
        begun = stage.played.filter(started_at__isnull=False).values_list("number", flat=True)
        course = facts_course_at(list(begun), tables, held, stage.rounds)
    return facts_results_counted(tables, held, stage.players_per_table), course


logger = logging.getLogger(__name__)

REFRESH_TASK: Final = "tournaments.refresh_snapshots"
EXPIRES: Final = 10  # seconds after which the task is dropped, and a reader computes the snapshot
REFRESH_RATIO: Final = 20  # workers spend at most a twentieth of the time on computing standings
TIED_WITH: Final = Row._fields.index("tied_with")
FORM: Final = 1  # version of the payload; increment it when ``Row`` or its encoding changes


def standings_snapshot_key(tournament_id: int, part: str) -> SnapshotKey:
    return SnapshotKey(str(TOURNAMENT.numbered(tournament_id)), part)


def standings_snapshot_moment(tournament_id: int) -> tuple[int, datetime]:
    """Return the revision of a tournament, and the time of the database. Call it before reading anything else."""
    moment: tuple[int, datetime] = (
        Tournament.objects.filter(pk=tournament_id).values_list("revision", database_now()).get()
    )
    return moment


def standings_snapshot_refresh_send(what: str, pk: int, wait: float) -> None:
    """Send a task that refreshes the snapshot ``what`` in ``wait`` seconds.

    ``pk`` is the primary key of a stage if ``what`` is "standings", "tables" or "bracket". It is that of a tournament
    for "ratings" and "adjusted". If the broker is unreachable, the error is logged, and a reader will compute the
    snapshot.
    """
    try:
        current_app.send_task(REFRESH_TASK, [what, pk], countdown=wait or None, expires=wait + EXPIRES)
    except UNREACHABLE:
        logger.exception("the broker took no message; %s of %d are computed by a reader", what, pk)


def standings_snapshot(stage: Stage) -> StoredPart[Sequence[Row]]:
    """Return the rows of a stage for a reader.

    They may be stale while the tournament is being played, if it has more entries than fit on a page of a board.
    """
    if stage.started_at is None:
        revision, now = standings_snapshot_moment(stage.tournament_id)
        return StoredPart(standings_of(stage), revision, now, now)
    is_played = stage.tournament.state in PLAYING
    return standings_snapshot_part(stage).read(lambda rows: is_played and len(rows) > boards.BOARD_ROWS)


def standings_snapshot_part(stage: Stage) -> SnapshotPart[Sequence[Row]]:
    return SnapshotPart(
        key=standings_snapshot_key(stage.tournament_id, f"standings.{stage.pk}"),
        moment=partial(standings_snapshot_moment, stage.tournament_id),
        compute=lambda: standings_of(stage),
        encode=_encode,
        decode=_decode,
        send=partial(standings_snapshot_refresh_send, "standings", stage.pk),
        refresh_ratio=REFRESH_RATIO,
        stored=partial(tournament_standings_push, stage),
    )


def _encode(rows: Sequence[Row]) -> bytes:
    """Encode the rows as a table. Its head has each group of tied entries once; rows refer to groups by number."""
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


class _Ranked(msgspec.Struct, frozen=True, array_like=True):
    """The first fields of ``Row``, for callers that need no others."""

    rank: int
    entrant: int


_RANKED: Final = msgspec.msgpack.Decoder(_Ranked).decode


def standings_snapshot_places(rows: Sequence[Row], entrants: Collection[int]) -> dict[int, int]:
    """Return the index in ``rows`` of each of the ``entrants``, if it has a row."""
    found: Sequence[_Ranked | Row] = rows.read_as(_RANKED) if isinstance(rows, Lines) else rows
    return {row.entrant: place for place, row in enumerate(found) if row.entrant in entrants}


# Without a type, so that integers stay integers
_DECODE: Final[Callable[[msgspec.Raw], Any]] = msgspec.msgpack.Decoder().decode


PODIUM = 3  # places on the podium


@dataclass(frozen=True, slots=True)
class FinalRank:
    """A place in the final ranking. ``stage`` is the last stage in which the bot played."""

    placed: Placed
    entry: Entry
    stage: Stage


def final_ranking_of(
    tournament: Tournament,
    entries: Sequence[Entry] = (),
    known: Mapping[int, Sequence[Row]] | None = None,
    *,
    to_rank: int | None = None,
) -> list[FinalRank]:
    """Return the ranking of all entries that took part, the best first, from the stages that have begun.

    See ``standings.final_ranking``. ``known`` has the standings that the caller has already read, by number of the
    stage. With ``to_rank``, return only this rank and better ones. Pass ``entries`` if they are already read.
    """
    placed = _placed(tournament, known or {}, to_rank)
    return _final_ranks(tournament, placed, entries)


def _stages_ranked(tournament: Tournament) -> list[Stage]:
    return [stage for stage in tournament.stages.all() if stage.started_at and not stage.kind.is_play_off]


def _placed(
    tournament: Tournament, known: Mapping[int, Sequence[Row]], to_rank: int | None = None
) -> tuple[Placed, ...]:
    """Return the final ranking, or only its ranks up to ``to_rank``.

    If there is a single stage, only the rows of these ranks are decoded.
    """
    rows = [known.get(one.number) or standings_snapshot(one).value for one in _stages_ranked(tournament)]
    if to_rank is None:
        return final_ranking([tuple(of_stage) for of_stage in rows])
    if len(rows) == 1:
        rows = [list(takewhile(lambda row: row.rank <= to_rank, rows[0]))]
    return tuple(one for one in final_ranking([tuple(of_stage) for of_stage in rows]) if one.rank <= to_rank)


def _final_ranks(tournament: Tournament, placed: Sequence[Placed], entries: Sequence[Entry] = ()) -> list[FinalRank]:
    begun = _stages_ranked(tournament)
    if not entries:
        entries = list(entries_shown(tournament.entries.filter(pk__in=[one.entrant for one in placed])))
    by_id = {entry.pk: entry for entry in entries}
    return [FinalRank(one, by_id[one.entrant], begun[one.stage - 1]) for one in placed]


@dataclass(frozen=True, slots=True)
class Certificate:
    """The certificate of a bot: its ``final`` place among ``of`` bots, and its place in its ``category``."""

    final: FinalRank
    of: int
    category: CategoryPlace | None


def tournament_certificates_of(tournament: Tournament, *, entry: int | None = None) -> Sequence[Certificate]:
    """Return a certificate for each bot of the final ranking, the best first. Disqualified bots have none.

    With ``entry``, return only the certificate of this entry. There are no certificates before the tournament is
    finished. An entry is read when its certificate is accessed. Call this only for readers who may see the results.
    """
    if tournament.state != TournamentState.FINISHED:
        return ()
    ranking = _placed(tournament, {})
    placed = [one for one in ranking if not one.row.disqualified]
    categories = dict(tournament.entries.exclude(category="").values_list("pk", "category"))
    within = standings_category_places(((one.entrant, one.rank) for one in placed), categories)

    def certificates(some: Sequence[Placed]) -> list[Certificate]:
        found = _final_ranks(tournament, some)
        return [Certificate(one, len(ranking), within.get(one.entry.pk)) for one in found]

    return Paged([one for one in placed if entry in (None, one.entrant)], certificates)


def entry_places_by_category(tournament: Tournament, rows: Iterable[Row]) -> dict[int, CategoryPlace]:
    """Return the place of each entry in its category.

    If there are no categories, this takes no query, and does not decode the ``rows``.
    """
    if not registration_categories_of(tournament):
        return {}
    categories = dict(tournament.entries.exclude(category="").values_list("pk", "category"))
    return standings_category_places(((row.entrant, row.rank) for row in rows), categories)


def standings_rows_of_category(category: str, rows: Sequence[Row], places: dict[int, CategoryPlace]) -> Sequence[Row]:
    """Return the rows of ``category``, or all rows for ""."""
    if not category:
        return rows
    return [row for row in rows if row.entrant in places and places[row.entrant].category == category]
