"""Results: write the games that workers have played, for several matches at once, if their leases still stand.

If a match is over, its result is written. If a match is not over, its games are stored and it returns to the queue. If
a match that is broadcast is over, its games are stored and it goes on air. ``airing.services`` writes its result when
the broadcast ends.

Large numbers of rows are inserted without model instances, because Django takes longer to create an instance than to
write its row.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from itertools import chain
from typing import Any

from django.db import connection, transaction
from django.db.models import F, Field, Model, Sum, Value
from django.db.models.expressions import RawSQL
from django.db.models.functions import Coalesce

from games.protocol import Verdict
from games.record import Record
from live import hub_announce
from matches.airing.timetable import timetable_broadcast_times, timetable_game_length
from matches.hook_events import match_finished_event_publish
from matches.models import Contest, Fault, Game, Match, MatchLog, MatchState, Seat, SeatLog, SeatNotes
from matches.queue.dispatch import dispatch_result_on_commit
from matches.queue.leases import Lease, leases_lock
from matches.queue.seat_logs import ROW_BYTES, SeatLogPacker
from matches.referee import (
    GameResult,
    SeatFault,
    SeriesState,
    match_series_luck_of_first,
    scoring_seat_totals,
    stopping_rule_of,
)
from web.database import database_now, database_persistent

MEMORY: float = 0.5  # weight of the latest match in the moving average ``Contest.block_seconds``


@dataclass(frozen=True, slots=True)
class MatchResult:
    """What one attempt has played: ``games``, in whole blocks. They follow the ``kept`` games of earlier slices."""

    lease: Lease
    match: Match
    games: Sequence[GameResult]
    duration_ms: int
    kept: Sequence[GameResult] = ()
    logs: Sequence[SeatLogPacker] = ()  # by seat

    def series(self) -> SeriesState:
        """Return the state of the series after all these games."""
        match, seats = self.match, self.match.seats.all()
        barred = [seat.index for seat in seats if seat.has_forfeited]
        series = SeriesState(len(seats), match.blocks, stopping_rule_of(match.stopping), barred)
        for game in (*self.kept, *self.games):
            series.note(game)
        return series


def match_result_stored_games(match: Match) -> list[GameResult]:
    """Return the games of ``match`` that were played in earlier slices.

    They contain no times and no output: the seats have the totals of the times, and the logs of the seats have the
    output.
    """
    if not match.blocks_kept:
        return []
    rule = stopping_rule_of(match.stopping)
    games = (_as_played(game) for game in match.games.prefetch_related("faults__seat"))
    return [replace(game, luck=match_series_luck_of_first(game.record, game.index, rule)) for game in games]


@database_persistent
def match_results_write(played: Sequence[MatchResult], *, worker_speed: float) -> frozenset[int]:
    """Write the results of played matches. After the commit, notify the contests of matches that have ended.

    Return the ids of the matches that were written. If the lease of a match was lost, the match belongs to another
    attempt or was cancelled: it is not written. A match that is broadcast ends after its broadcast; only then is its
    contest notified.
    """
    lengths = {one.match.pk: _lengths(one) for one in played}
    with transaction.atomic():
        series_by_match = {one.match.pk: one.series() for one in played}
        written = _matches_write(played, series_by_match, lengths, worker_speed)
        _games_write(written, lengths)
        _logs_write(written)
        _notes_write(written)
        match_result_seats_write(
            written, {one.match.pk: series_by_match[one.match.pk] for one in played if not one.match.tempo}
        )
        over = [one for one in written if series_by_match[one.match.pk].over]
        MatchLog.objects.filter(match__in=[one.match.pk for one in over]).delete()
        for one in written:
            if one not in over:
                MatchLog.objects.filter(match=one.match, game__lte=one.games[-1].index).delete()
        for match in {one.match.contest_id: one.match for one in over if not one.match.tempo}.values():
            dispatch_result_on_commit(match)
        match_finished_event_publish(matches=[one.match for one in over if not one.match.tempo])
        _times_note(written)
        transaction.on_commit(partial(hub_announce, *(f"match.{one.match.pk}" for one in written)))
    return frozenset(one.match.pk for one in written)


def _lengths(one: MatchResult) -> dict[int, int]:
    """Return, by game index, the duration of each new game's broadcast in milliseconds; empty without a broadcast."""
    tempo = one.match.tempo
    return {game.index: timetable_game_length(game.record.encode(), tempo) for game in one.games} if tempo else {}


@dataclass(frozen=True, slots=True)
class _Standing:
    """The new state of a match, without the time that it took.

    If the match continues or goes on air, ``blocks`` is the number of blocks kept. If it is over, ``blocks`` is the
    number of blocks played. ``length`` is the duration of its broadcast.
    """

    state: MatchState
    blocks: int
    ending: str = ""
    ratio: float | None = None
    length: timedelta = timedelta()

    def columns(self) -> dict[str, Any]:
        """Return the updates of the match. Its times are set to the time of the SQL statement."""
        if self.state is MatchState.QUEUED:
            # Because a worker has completed blocks, earlier failures do not suggest that the match causes failures.
            return {"state": self.state, "blocks_kept": self.blocks, "platform_faults": 0, "workers_lost": 0}
        if self.state is MatchState.ON_AIR:
            return {"state": self.state, "blocks_kept": self.blocks, **timetable_broadcast_times(self.length)}
        return {
            "state": self.state,
            "finished_at": database_now(),
            "blocks_played": self.blocks,
            "ending": self.ending,
            "llr": self.ratio,
        }


def _matches_write(
    played: Sequence[MatchResult],
    series_by_match: Mapping[int, SeriesState],
    lengths: Mapping[int, Mapping[int, int]],
    worker_speed: float,
) -> list[MatchResult]:
    """Write the new states of the matches whose leases stand, with one statement per state. Return these matches."""
    standing = leases_lock([one.lease for one in played])
    written = [one for one in played if one.lease.match_id in standing]
    alike: defaultdict[_Standing, list[MatchResult]] = defaultdict(list)
    for one in written:
        alike[_standing_of(one, series_by_match[one.match.pk], lengths)].append(one)
    for state, ones in alike.items():
        # No F() is needed: only the holder of the match's lease writes its duration.
        spent = {one.match.pk: (one.match.duration_ms or 0) + one.duration_ms for one in ones}
        # Django takes longer to build such a CASE than the database takes to run the statement.
        took = RawSQL(f"CASE id {'WHEN %s THEN %s ' * len(spent)}END", [*chain(*spent.items())])  # noqa: S611  no user input
        Match.objects.filter(pk__in=spent, state=MatchState.RUNNING).update(
            **state.columns(), lease_expires_at=None, duration_ms=took, worker_speed=worker_speed
        )
    return written


def _standing_of(one: MatchResult, series: SeriesState, lengths: Mapping[int, Mapping[int, int]]) -> _Standing:
    blocks = (len(one.kept) + len(one.games)) // len(one.match.seats.all())
    if not series.over:
        return _Standing(MatchState.QUEUED, blocks)
    if one.match.tempo:
        kept = one.match.games.aggregate(length=Sum("air_ms"))["length"] or 0
        length = timedelta(milliseconds=kept + sum(lengths[one.match.pk].values()))
        return _Standing(MatchState.ON_AIR, blocks, length=length)
    return _ended(series)


def _ended(series: SeriesState) -> _Standing:
    end = series.conclusion()
    return _Standing(MatchState.FINISHED, end.blocks, end.ending or "", end.ratio)


def match_result_conclusion(series: SeriesState) -> dict[str, Any]:
    """Return the updates that record the end of a match that is over."""
    return _ended(series).columns()


def _games_write(written: Sequence[MatchResult], lengths: Mapping[int, Mapping[int, int]]) -> None:
    """Write the games and their faults. Faults need the ids of their games, which only ``bulk_create`` returns."""
    rows = {one.match.pk: [*_game_rows(one, lengths[one.match.pk])] for one in written}
    faulty = [one for one in written if any(game.faults for game in one.games)]
    games = [(one, game) for one in faulty for game in one.games]
    created = Game.objects.bulk_create([Game(**row) for one in faulty for row in rows.pop(one.match.pk)])
    Fault.objects.bulk_create(
        [
            _fault_row(row, one.match.seats.all()[fault.seat], fault)
            for row, (one, game) in zip(created, games, strict=True)
            for fault in game.faults
        ]
    )
    match_result_rows_insert(Game, [*chain.from_iterable(rows.values())])


def _game_rows(one: MatchResult, lengths: Mapping[int, int]) -> Iterator[dict[str, Any]]:
    for game in one.games:
        yield {
            "match_id": one.match.pk,
            "attempt": one.lease.attempt,
            "index": game.index,
            "record": game.record.encode(),
            "points": game.points,
            "places": game.places,
            "reason": game.reason,
            "tie_break": game.tie_break,
            "air_ms": lengths.get(game.index),
        }


def _logs_write(written: Sequence[MatchResult]) -> None:
    SeatLog.objects.bulk_create(
        SeatLog(
            seat=seat,
            bot_id=seat.version.bot_id,
            first_game=one.games[0].index,
            games=log.games,
            printed=log.printed,
            size=log.size,
            times=log.times,
            slowest_ms=log.slowest * 1000,
            content=log.packed(),
        )
        for one in written
        if one.games and one.logs
        for seat, log in zip(one.match.seats.all(), one.logs, strict=True)
    )


def _notes_write(written: Sequence[MatchResult]) -> None:
    rows = [
        SeatNotes(
            seat=seat,
            bot_id=seat.version.bot_id,
            first_game=one.games[0].index,
            last_game=one.games[-1].index,
            size=ROW_BYTES + len(packed),
            content=packed,
        )
        for one in written
        if one.games and one.logs
        for seat, log in zip(one.match.seats.all(), one.logs, strict=True)
        if (packed := log.notes.packed())
    ]
    if rows:
        SeatNotes.objects.bulk_create(rows)
        Seat.objects.filter(pk__in=[row.seat_id for row in rows]).update(explains=True)


def _fault_row(game: Game, seat: Seat, fault: SeatFault) -> Fault:
    return Fault(
        game=game,
        seat=seat,
        verdict=fault.verdict.value,
        action_index=fault.action_index,
        exception=fault.exception,
        detail=fault.detail,
        line=fault.line,
        view=fault.view,
        answer=fault.answer,
        output=fault.output,
        cpu=fault.cpu,
        wall=fault.wall,
        limit=fault.limit,
    )


def match_result_seats_write(written: Sequence[MatchResult], series_by_match: Mapping[int, SeriesState]) -> None:
    """Write the totals of matches whose series is over. For other matches, write only the times.

    The times must be written now, because no game stores them.
    """
    rows: list[Seat] = []
    for one in written:
        series = series_by_match.get(one.match.pk)
        forfeited = series.conclusion().forfeited if series and series.over else None
        for seat, total in zip(one.match.seats.all(), scoring_seat_totals((*one.kept, *one.games)), strict=True):
            row = Seat(pk=seat.pk, match_id=seat.match_id, index=seat.index, version_id=seat.version_id)
            row.has_forfeited = seat.has_forfeited
            row.cpu_ms = (seat.cpu_ms or 0) + total.cpu * 1000
            row.slowest_ms = max(seat.slowest_ms or 0, total.slowest * 1000)
            if forfeited is not None:
                row.score, row.points, row.wins = total.score, total.points, total.wins
                row.places, row.faulty_games = list(total.places), total.faulty_games
                row.has_forfeited = forfeited[seat.index]
            rows.append(row)
    # With ``bulk_update``, Django would take longer to build a CASE for each field than the database takes to run it.
    fields = ["score", "points", "wins", "places", "faulty_games", "has_forfeited", "cpu_ms", "slowest_ms"]
    Seat.objects.bulk_create(rows, update_conflicts=True, unique_fields=["id"], update_fields=fields)


def _times_note(written: Iterable[MatchResult]) -> None:
    """Update the average duration of a block in each contest. It determines how much work the next claims contain."""
    for contest, one in {one.match.contest_id: one for one in written}.items():
        if contest is not None:
            recent = one.duration_ms / 1000 / max(1, len(one.games) // len(one.match.seats.all()))
            before = Coalesce(F("block_seconds"), Value(recent))
            Contest.objects.filter(pk=contest).update(block_seconds=before * (1 - MEMORY) + recent * MEMORY)


def _as_played(game: Game) -> GameResult:
    seats = len(game.places)
    return GameResult(
        index=game.index,
        record=Record.decode(bytes(game.record)),
        points=tuple(game.points),
        places=tuple(game.places),
        reason=game.reason,
        tie_break=game.tie_break,
        faults=tuple(
            SeatFault(seat=fault.seat.index, verdict=Verdict(fault.verdict), action_index=fault.action_index, view=None)
            for fault in game.faults.all()
        ),
        cpu=(0.0,) * seats,
        slowest=(0.0,) * seats,
        printed=("",) * seats,
    )


def match_result_rows_insert(model: type[Model], rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert all ``rows`` or none, like ``bulk_create``, but without returning their ids.

    All rows have the same keys. A key is the name of an attribute, such as "match_id". A column that is left out gets
    the default of the database, not that of the model. Values must be hashable. If two values of a column compare
    equal, such as 1 and True, the same value is written for both.
    """
    if not rows:
        return
    known = {field.attname: field for field in model._meta.concrete_fields}
    fields = [known[name] for name in rows[0]]
    columns = [_adapted(field, [values[field.attname] for values in rows]) for field in fields]
    adapted = [*zip(*columns, strict=True)]
    quoted = connection.ops.quote_name
    table = f"{quoted(model._meta.db_table)} ({', '.join(quoted(str(field.column)) for field in fields)})"
    with transaction.atomic(savepoint=False), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            _copy(cursor, table, adapted)
        else:
            _insert(cursor, table, adapted, connection.ops.bulk_batch_size(fields, adapted))


def _copy(cursor: Any, table: str, rows: Sequence[Sequence[Any]]) -> None:
    """Write ``rows`` with COPY, so that no statement with thousands of values has to be built and parsed."""
    with connection.wrap_database_errors, cursor.copy(f"COPY {table} FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


def _insert(cursor: Any, table: str, rows: Sequence[Sequence[Any]], size: int) -> None:
    """Write ``rows`` in batches of ``size``, because SQLite limits the number of parameters of a statement."""
    row = f"({', '.join(['%s'] * len(rows[0]))})"
    for start in range(0, len(rows), size):
        batch = rows[start : start + size]
        statement = f"INSERT INTO {table} VALUES {', '.join([row] * len(batch))}"  # noqa: S608  only names from the model
        cursor.execute(statement, [*chain.from_iterable(batch)])


def _adapted(field: "Field[Any, Any]", values: Sequence[Any]) -> Sequence[Any]:
    """Return ``values`` converted for the database.

    Each distinct value is converted once: there are few, and converting a value takes longer than writing it.
    """
    adapted = {value: field.get_db_prep_save(value, connection) for value in set(values)}
    return [adapted[value] for value in values]
