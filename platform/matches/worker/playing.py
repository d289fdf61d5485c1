"""Playing on a worker: claim the next matches, let the referee play them, and write the live log and the results.

Viewers who arrive late or reconnect read the live log of the match that is being played.
"""

import logging
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from django.conf import settings
from django.db import DatabaseError, transaction
from structlog.contextvars import bind_contextvars, unbind_contextvars

from bots.package_objects import PackageAway
from games.catalogue import UnknownRuleset, find
from games.catalogue.code import OtherCode, game_code_check, game_code_raised, game_code_runs_at
from games.protocol import BoxLost, Limits
from games.table import Table
from live import hub_announce
from matches.models import Match, MatchLog
from matches.queue.claims import Claim, claim_settle, claim_slice_seconds, claim_take
from matches.queue.leases import Lease, lease_return, lease_time_pay, leases_beat, leases_release
from matches.queue.result_writing import MatchResult, match_result_stored_games, match_results_write
from matches.queue.seat_logs import SeatLogPacker
from matches.referee import CageProtocol, MatchSpec, series_games_play, stopping_rule_of
from matches.referee.scoring import APART
from matches.worker.process import (
    Heartbeat,
    LeaseLost,
    worker_process_cage,
    worker_process_is_draining,
    worker_process_name,
    worker_process_speed,
)

logger = logging.getLogger(__name__)

WRITTEN_EVERY: Final = 3.0  # seconds between writes of short matches; each write notifies the contest, which is slow
LOOKS_EVERY: Final = 0.1  # seconds between two checks of the lease and the live log during a game


def worker_play_claim() -> bool:
    """Claim the next matches and play them, or a slice of one match. Return whether this call has played a claim.

    Return False if there is nothing to claim, if this worker is draining, or if the packages of the bots are not
    available. After an error that is not a bot's fault, the match returns to the queue.

    Raises:
        SandboxUnavailable: this machine cannot cage bots; nothing has been claimed.
    """
    if worker_process_is_draining():
        return False
    cage = worker_process_cage()  # opening the cage takes seconds, so draining may begin meanwhile
    claim = None if worker_process_is_draining() else claim_take(worker_process_name())
    if claim is None:
        return False
    begun, shift = time.monotonic(), Shift(claim, cage)
    try:
        shift.work()
    except PackageAway as error:  # the periodic sweep will wake a worker again
        logger.warning("matches wait: %s", error)
        return False
    finally:
        seconds = time.monotonic() - begun
        # If a lease was lost, the worker's time was of no use to the account. So it pays at most the charge in advance.
        claim_settle(claim, seconds=min(seconds, claim.charged) if shift.lost else seconds)
    return True


def worker_playing_order(match: Match) -> MatchSpec:
    """Return the specification of the match for the referee, with its entrants in the order of seats.

    Raises:
        UnknownRuleset, LimitError, StoppingError, UploadError: the match was made by another release of the platform.
        OtherCode: the match was made with other code of its game than this worker has.
    """
    game_code_check(match.game, match.code)
    seats = match.seats.all()
    return MatchSpec(
        ruleset=find(match.ruleset),
        options=match.options,
        limits=Limits.from_dict(match.limits),
        secret=bytes(match.secret),
        blocks=match.blocks,
        entrants=tuple(seat.version.files() for seat in seats),
        pace=match.min_action_ms / 1000,
        stopping=stopping_rule_of(match.stopping),
        forfeited_seats=tuple(seat.index for seat in seats if seat.has_forfeited),
    )


def worker_playing_stall_seconds(limits: Limits, *, seats: int, pace: float = 0.0) -> float:
    """Return a limit, in seconds, for the time between two actions. It holds if the cage enforces the limits.

    ``pace`` is in seconds. The limit includes the time from the last action of a game to the first action of the next
    one, in which all bots may be stopped and started.
    """
    return (seats + 1) * (limits.start_wall + limits.act_wall) + pace + settings.LEASE_SECONDS * 3


class Shift:
    """Plays one claim and writes its results. ``lost`` is True if a lease was lost to another attempt."""

    def __init__(self, claim: Claim, cage: CageProtocol) -> None:
        self._work = dict(claim.work)
        self._cage = cage
        self._speed = worker_process_speed()
        self._until = time.monotonic() + claim_slice_seconds()
        self._now: Lease | None = None  # the lease of the match that is being played
        self._since = 0.0  # when this match began, by the monotonic clock
        self._standing = frozenset(lease.match_id for lease in self._work)
        self._thread = threading.get_ident()  # the playing thread
        self._played: list[MatchResult] = []
        self._written = time.monotonic()
        self.lost = False

    def work(self) -> None:
        """Play match after match until the slice is over. Matches that were not begun return to the queue."""
        stall = settings.LEASE_SECONDS * 3
        with Heartbeat(self._beat, stall=stall, hand_back=self._hand_back, last_words=self._last_words) as heartbeat:
            try:
                for number, (lease, match) in enumerate(list(self._work.items())):
                    if number and self._enough():
                        break
                    if not self._try(lease, match, heartbeat):
                        break
                    if time.monotonic() - self._written >= WRITTEN_EVERY:
                        self._write()
                        heartbeat.beat()
            finally:
                self._write()
                leases_release(list(self._work))

    def _try(self, lease: Lease, match: Match, heartbeat: Heartbeat) -> bool:
        """Play the match. Return False after a fault of the platform, which would affect the next match, too."""
        self._now, self._since = lease, time.monotonic()
        bind_contextvars(match_id=match.pk)
        try:
            self._played.append(self._play(lease, match, heartbeat))
        except PackageAway:  # the match has not begun, and nothing is at fault
            leases_release([lease])
            raise
        except LeaseLost:
            self._note_lost(match, time.monotonic() - self._since)
            logger.warning("match %d: the lease of attempt %d is lost", match.pk, lease.attempt)
        except Exception as error:
            logger.exception("match %d: attempt %d is void", match.pk, lease.attempt)
            seat = error.seat if isinstance(error, BoxLost) else None
            took = time.monotonic() - self._since
            of_game = isinstance(error, (UnknownRuleset, OtherCode)) or game_code_raised(match.game, error)
            lease_return(lease, f"{type(error).__name__}: {error}", seat, seconds=took, of_game=of_game)
            return False
        finally:
            unbind_contextvars("match_id")
            self._now = None
            self._work.pop(lease)
        return True

    def _play(self, lease: Lease, match: Match, heartbeat: Heartbeat) -> MatchResult:
        order = worker_playing_order(match)
        # The games of a match that people watch are played in order.
        order = replace(order, apart=1 if order.pace or match.tempo else APART)
        kept = match_result_stored_games(match)
        start = time.monotonic()
        log = LiveLog(lease, paced=order.pace > 0)
        heartbeat.expect(worker_playing_stall_seconds(order.limits, seats=len(order.entrants), pace=order.pace))
        looks_every = 0.0 if order.pace else LOOKS_EVERY
        looked, at = 0.0, -1

        def watch(index: int, table: Table) -> None:
            # An action takes some ten microseconds. Doing all of this after each action would cost half as much again.
            nonlocal looked, at
            heartbeat.progress = now = time.monotonic()
            if index == at and now - looked < looks_every and index != log.live:
                return
            looked, at = now, index
            if heartbeat.lost or lease.match_id not in self._standing:
                raise LeaseLost
            if not match.tempo:  # a broadcast match is shown only when it is on air
                log.follow(index, table)

        logs = [SeatLogPacker() for _ in order.entrants]
        games = []
        for game in series_games_play(order, self._cage, watch, kept, self._enough):
            for packer, one in zip(logs, game.logs, strict=True):
                packer.note(game.index, one)
            # Only the bounded logs are kept, because the whole output of thousands of games could fill the memory.
            games.append(replace(game, printed=(), logs=()))
        return MatchResult(lease, match, games, round((time.monotonic() - start) * 1000), kept, logs)

    def _enough(self) -> bool:
        return worker_process_is_draining() or time.monotonic() >= self._until

    def _write(self) -> None:
        """Write the results since the last write. A result that cannot be written is a fault of the platform."""
        if not self._played:
            return
        try:
            written = match_results_write(self._played, worker_speed=self._speed)
            for one in self._played:
                if one.match.pk not in written:
                    self._note_lost(one.match, one.duration_ms / 1000)
        except Exception:
            logger.exception("results of %d matches were not written together", len(self._played))
            for one in self._played:
                self._write_alone(one)
        self._played, self._written = [], time.monotonic()

    def _write_alone(self, one: MatchResult) -> None:
        try:
            match_results_write([one], worker_speed=self._speed)
        except Exception as error:
            logger.exception("match %d: attempt %d is void", one.match.pk, one.lease.attempt)
            lease_return(one.lease, f"{type(error).__name__}: {error}", seconds=one.duration_ms / 1000)

    def _note_lost(self, match: Match, seconds: float) -> None:
        """Count ``seconds`` as wasted time of the match if it was cancelled. Otherwise record that a lease was lost."""
        self.lost |= not lease_time_pay(match_id=match.pk, seconds=seconds)

    def _leases(self) -> Iterator[Lease]:
        yield from self._work.copy()
        for one in self._played.copy():
            yield one.lease

    def _beat(self) -> bool:
        self._standing = leases_beat([*self._leases()])
        return bool(self._standing)

    def _hand_back(self) -> None:
        """Return all matches without written results to the queue at once, without counting a fault."""
        leases_release([*self._leases()], begun=True)

    def _last_words(self, seconds: float) -> None:
        """Count a fault for the match that hangs, but not for the other matches of the claim.

        Record whether the code of the game hangs.
        """
        if self._now is not None:
            frame = sys._current_frames().get(self._thread)
            of_game = frame is not None and game_code_runs_at(self._work[self._now].game, frame)
            reason = f"the game did not answer in {seconds:.0f} s" if of_game else f"no progress for {seconds:.0f} s"
            lease_return(self._now, reason, seconds=time.monotonic() - self._since, of_game=of_game)
        leases_release([lease for lease in self._work if lease != self._now])


LOG_WRITTEN_EVERY: Final = 1.0  # seconds
PACED_WRITTEN_EVERY: Final = 0.2  # seconds, for a match that is slowed down for spectators


class LiveLog:
    """Writes the games of one attempt to the live log, and announces each write.

    It writes at most every ``LOG_WRITTEN_EVERY`` seconds, or every ``PACED_WRITTEN_EVERY`` seconds if the match is
    ``paced``. If viewers have seen the beginning of a game, it also writes when the game ends. If a match is over
    before the first write, it has no log. The log is only for viewers: if it cannot be written, the match continues.
    """

    def __init__(self, lease: Lease, clock: Callable[[], float] = time.monotonic, *, paced: bool = False) -> None:
        self._every = PACED_WRITTEN_EVERY if paced else LOG_WRITTEN_EVERY
        self._lease = lease
        self._clock = clock
        self._written = clock()
        self._begun: dict[int, Table] = {}  # the games since the last write; all of them except the last are over
        self.live: int | None = None  # the game whose beginning viewers have seen, but not its end

    def follow(self, index: int, table: Table) -> None:
        """Record that game ``index`` is at ``table``, and write the log if that is due.

        Call this at the start of a game, from time to time, and after each action of the game that is ``live``.
        """
        self._begun[index] = table
        if self._clock() - self._written >= self._every or (self.live == index and table.over):
            self._write()
            self.live = None if table.over else index

    def _write(self) -> None:
        rows = [self._row(index, table) for index, table in self._begun.items()]
        try:
            with transaction.atomic():
                MatchLog.objects.bulk_create(
                    rows,
                    update_conflicts=True,
                    unique_fields=["match", "attempt", "game"],
                    update_fields=["actions", "interventions"],
                )
        except DatabaseError:
            logger.warning("match %d: the live log was not written", self._lease.match_id, exc_info=True)
        else:
            self._begun.clear()
            hub_announce(f"match.{self._lease.match_id}")
        self._written = self._clock()

    def _row(self, index: int, table: Table) -> MatchLog:
        return MatchLog(
            match_id=self._lease.match_id,
            attempt=self._lease.attempt,
            game=index,
            seed=table.seed,
            actions="\n".join(table.actions),
            interventions=[list(intervention) for intervention in table.interventions],
        )
