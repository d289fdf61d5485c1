"""Playing a match on a worker: take the lease, let the referee play, write the result."""

import logging
import time
from dataclasses import replace

from django.conf import settings

from games.protocol import Limits
from games.rulesets import find
from games.table import Table
from matches.heartbeat import Heartbeat, LeaseLost
from matches.leases import Lease, lease_beat, lease_return, lease_take
from matches.log import LiveLog
from matches.models import Match
from matches.referee import Cage, Order, PlayedGame, games_played, rule_of
from matches.results import match_finish
from matches.worker import worker_cage, worker_name, worker_speed

logger = logging.getLogger(__name__)


def match_play(match_id: int) -> bool:
    """Plays the match if it is there to be played; True if this call wrote its result.

    Whatever goes wrong that is not a bot's fault returns the match to the queue.

    Raises:
        Denied: this machine cannot cage bots; the match has not been touched.
    """
    cage = worker_cage()
    lease = lease_take(match_id, worker_name())
    if lease is None:
        logger.info("match %d: nothing to play", match_id)
        return False
    try:
        return _played(lease, cage)
    except LeaseLost:
        logger.warning("match %d: the lease of attempt %d is lost", match_id, lease.attempt)
    except Exception as error:
        logger.exception("match %d: attempt %d is void", match_id, lease.attempt)
        lease_return(lease, f"{type(error).__name__}: {error}")
    return False


def match_order(match: Match) -> Order:
    """What the referee needs to know, seats in order.

    Raises:
        UnknownRuleset, LimitError, StoppingError, UploadError: the match was made by another release of the platform.
    """
    seats = match.seats.select_related("version")
    return Order(
        ruleset=find(match.ruleset),
        options=match.options,
        limits=Limits.from_dict(match.limits),
        secret=bytes(match.secret),
        blocks=match.blocks,
        entrants=tuple(seat.version.files() for seat in seats),
        pace=match.pace_ms / 1000,
        stopping=rule_of(match.stopping),
        barred=tuple(seat.index for seat in seats if seat.forfeited),
    )


def stall_seconds(limits: Limits, *, seats: int, pace: float = 0.0) -> float:
    """Longer than any two actions can be apart while the cage keeps the bots to their limits.

    Between the last action of a game and the first of the next every bot may end, and another start.
    """
    return (seats + 1) * (limits.start_wall + limits.act_wall) + pace + settings.LEASE_SECONDS * 3


def _played(lease: Lease, cage: Cage) -> bool:
    order = match_order(Match.objects.get(pk=lease.match_id))
    speed = worker_speed()
    start = time.monotonic()
    log = LiveLog(lease)
    stall = stall_seconds(order.limits, seats=len(order.entrants), pace=order.pace)
    with Heartbeat(
        lambda: lease_beat(lease), stall=stall, last_words=lambda reason: lease_return(lease, reason)
    ) as heartbeat:

        def watch(index: int, table: Table) -> None:
            heartbeat.alive()
            log.follow(index, table)

        # What bots printed without a fault is not stored: kept for thousands of games, it would fill this process.
        games: list[PlayedGame] = [replace(game, printed=()) for game in games_played(order, cage, watch)]
    duration_ms = round((time.monotonic() - start) * 1000)
    return match_finish(lease, games, duration_ms=duration_ms, worker_speed=speed)
