"""The result of a match: written once, whole, by the attempt that holds the lease."""

from collections.abc import Sequence

from django.db import transaction

from bots.clock import database_now
from matches.dispatch import send_on_commit
from matches.leases import Lease
from matches.live import announce
from matches.models import Fault, Game, Match, MatchLog, MatchState, Seat
from matches.persistence import persistent
from matches.referee import Conclusion, Course, PlayedGame, SeatFault, concluded, rule_of, seat_totals


@persistent
def match_finish(lease: Lease, games: Sequence[PlayedGame], *, duration_ms: int, worker_speed: float) -> bool:
    """Writes the result of all ``games``; the match's ``finished_task`` is told once it is committed.

    Returns False, with nothing changed, if the lease was lost: the match was played by another attempt, or called off.
    """
    with transaction.atomic():
        written = lease.held().update(
            state=MatchState.FINISHED,
            lease_until=None,
            finished=database_now(),
            duration_ms=duration_ms,
            worker_speed=worker_speed,
        )
        if not written:
            return False
        match = Match.objects.get(pk=lease.match_id)
        seats = list(match.seats.all())
        barred = [seat.index for seat in seats if seat.forfeited]
        end = concluded(games, Course(len(seats), match.blocks, rule_of(match.stopping), barred))
        _ending_write(match, end)
        _games_write(match, seats, games)
        _seats_total(seats, games, end)
        MatchLog.objects.filter(match=match).delete()
        transaction.on_commit(lambda: announce(f"match.{match.pk}"))
        if match.finished_task:
            send_on_commit(match.finished_task, [match.pk])
    return True


def _ending_write(match: Match, end: Conclusion) -> None:
    match.blocks_played = end.blocks
    match.ending = end.ending or ""
    match.llr = end.ratio
    match.save(update_fields=["blocks_played", "ending", "llr"])


def _games_write(match: Match, seats: Sequence[Seat], games: Sequence[PlayedGame]) -> None:
    rows = Game.objects.bulk_create(
        Game(
            match=match,
            attempt=match.attempt,
            index=game.index,
            record=game.record.encode(),
            points=game.points,
            places=game.places,
            reason=game.reason,
            tie_break=game.tie_break,
        )
        for game in games
    )
    Fault.objects.bulk_create(
        _fault_row(row, seats, fault) for row, game in zip(rows, games, strict=True) for fault in game.faults
    )


def _fault_row(game: Game, seats: Sequence[Seat], fault: SeatFault) -> Fault:
    return Fault(
        game=game,
        seat=seats[fault.seat],
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


def _seats_total(seats: Sequence[Seat], games: Sequence[PlayedGame], end: Conclusion) -> None:
    for seat, total, forfeited in zip(seats, seat_totals(games), end.forfeited, strict=True):
        seat.score = total.score
        seat.points = total.points
        seat.wins = total.wins
        seat.places = list(total.places)
        seat.faulty_games = total.faulty_games
        seat.forfeited = forfeited
        seat.cpu_ms = total.cpu * 1000
        seat.slowest_ms = total.slowest * 1000
    fields = ["score", "points", "wins", "places", "faulty_games", "forfeited", "cpu_ms", "slowest_ms"]
    Seat.objects.bulk_update(seats, fields)
