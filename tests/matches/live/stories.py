"""Builders: a match in the middle of being played, as a worker leaves it in the database."""

from collections.abc import Sequence
from datetime import timedelta
from functools import cache

from django.utils import timezone

from games.catalogue import catalogue_stand_in, current
from games.protocol import Verdict
from games.record import Record
from games.table import Table
from matches.models import Game, Match, MatchLog, MatchState, Seat
from matches.queue.claims import claim_account_for
from tests.bots.factories import BotVersionFactory


@cache
def played(number: int = 0, players: int = 2, fault_at: int | None = None) -> Record:
    """A finished game of Pickomino between cautious bots; at action ``fault_at`` the seat to act crashes."""
    table = Table(current("pickomino"), players, {}, number.to_bytes(16, "big"))
    act = catalogue_stand_in("pickomino")
    while not table.over:
        crash = fault_at == len(table.record().actions)
        table.play(act(table.view(table.actor)), intervention=Verdict.CRASHED if crash else None)
    return table.record()


def match_begin(*, players: int = 2, blocks: int = 1, state: str = MatchState.RUNNING, attempt: int = 1) -> Match:
    """A match that a worker has taken."""
    match = Match.objects.create(
        ruleset="pickomino/1",
        options=dict(played(players=players).options),
        blocks=blocks,
        secret=b"s" * 32,
        account=claim_account_for("nobody", paced=False),
        state=state,
        attempt=attempt,
        lease_expires_at=timezone.now() + timedelta(minutes=5) if state == MatchState.RUNNING else None,
        started_at=timezone.now(),
    )
    Seat.objects.bulk_create(Seat(match=match, index=index, version=BotVersionFactory()) for index in range(players))
    return match


def log_write(match: Match, *, game: int = 0, actions: int | None = None, attempt: int | None = None) -> None:
    """The log of a game after its first ``actions`` actions, or of the whole game."""
    record = played(game, match.seats.count())
    MatchLog.objects.update_or_create(
        match=match,
        attempt=match.attempt if attempt is None else attempt,
        game=game,
        defaults={"seed": record.seed, "actions": "\n".join(record.actions[:actions])},
    )


def match_end(match: Match, records: Sequence[Record]) -> Match:
    """The result is in: records instead of logs. Points and places are those of the games."""
    seats = list(match.seats.all())
    k = len(seats)
    for index, record in enumerate(records):
        outcome = record.verify()
        by_seat = [(seat - index) % k for seat in range(k)]  # the table position of each match seat
        Game.objects.create(
            match=match,
            attempt=match.attempt,
            index=index,
            record=record.encode(),
            points=[outcome.points[p] for p in by_seat],
            places=[outcome.places[p] for p in by_seat],
            reason=outcome.reason,
            tie_break=outcome.tie_break,
        )
    for seat in seats:
        games = list(match.games.all())
        seat.points = sum(game.points[seat.index] for game in games)
        seat.places = [game.places[seat.index] for game in games]
        seat.wins = seat.places.count(1)
        seat.score = float(seat.wins)
        seat.save()
    MatchLog.objects.filter(match=match).delete()
    Match.objects.filter(pk=match.pk).update(
        state=MatchState.FINISHED, lease_expires_at=None, finished_at=timezone.now(), duration_ms=1234
    )
    match.refresh_from_db()
    return match
