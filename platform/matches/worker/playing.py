"""Playing on a worker: claim the next work, let the referee play it, write the live log meanwhile, which late and
reconnecting viewers read, and then the results.
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

from bots.package_store import PackageAway
from games.catalogue import UnknownRuleset, find
from games.catalogue.code import OtherCode, code_check, is_at, is_raised_by
from games.protocol import BoxLost, Limits
from games.table import Table
from live import announce
from matches.models import Match, MatchLog
from matches.queue.claims import Claim, claim_settle, claim_take, slice_seconds
from matches.queue.leases import Lease, called_off_pay, lease_return, leases_beat, leases_release
from matches.queue.results import MatchResult, games_kept, results_write
from matches.queue.seat_logs import SeatLogPacker
from matches.referee import CageProtocol, MatchSpec, games_played, rule_of
from matches.referee.scoring import APART
from matches.worker.process import Heartbeat, LeaseLost, draining, worker_cage, worker_name, worker_speed

logger = logging.getLogger(__name__)

WRITTEN_EVERY: Final = 3.0  # seconds, where matches are short: each write notifies the contest, which takes as long
LOOKS_EVERY: Final = 0.1  # seconds, at the lease and the live log while a game is played


def work_play() -> bool:
    """Claim what is next and plays it, or a slice of it; False if there is nothing, or this worker is to stop, or it
    cannot have the bots' packages.

    Whatever goes wrong that is not a bot's fault returns the match to the queue.

    Raises:
        SandboxUnavailable: this machine cannot cage bots; nothing has been claimed.
    """
    if draining():
        return False
    cage = worker_cage()  # which takes seconds the first time
    claim = None if draining() else claim_take(worker_name())
    if claim is None:
        return False
    begun, shift = time.monotonic(), Shift(claim, cage)
    try:
        shift.work()
    except PackageAway as error:  # the sweep wakes a worker when that may have passed
        logger.warning("matches wait: %s", error)
        return False
    finally:
        seconds = time.monotonic() - begun
        # Whose lease was lost had no use of the worker: for how long that was cut off is not for the account to pay.
        claim_settle(claim, seconds=min(seconds, claim.charged) if shift.lost else seconds)
    return True


def match_order(match: Match) -> MatchSpec:
    """Return what the referee needs to know, seats in order.

    Raises:
        UnknownRuleset, LimitError, StoppingError, UploadError: the match was made by another release of the platform.
        OtherCode: its game is of other code than this worker's.
    """
    code_check(match.game, match.code)
    seats = match.seats.all()
    return MatchSpec(
        ruleset=find(match.ruleset),
        options=match.options,
        limits=Limits.from_dict(match.limits),
        secret=bytes(match.secret),
        blocks=match.blocks,
        entrants=tuple(seat.version.files() for seat in seats),
        pace=match.min_action_ms / 1000,
        stopping=rule_of(match.stopping),
        forfeited_seats=tuple(seat.index for seat in seats if seat.has_forfeited),
    )


def stall_seconds(limits: Limits, *, seats: int, pace: float = 0.0) -> float:
    """Return more seconds than any two actions can be apart while the cage keeps the bots to their limits.

    Between the last action of a game and the first of the next every bot may end, and another start.
    """
    return (seats + 1) * (limits.start_wall + limits.act_wall) + pace + settings.LEASE_SECONDS * 3


class Shift:
    """One claim, from its leases to its results; ``lost``: some of them are another worker's by now."""

    def __init__(self, claim: Claim, cage: CageProtocol) -> None:
        self._work = dict(claim.work)
        self._cage = cage
        self._speed = worker_speed()
        self._until = time.monotonic() + slice_seconds()
        self._now: Lease | None = None  # of the match that is being played
        self._since = 0.0  # when it began, by the monotonic clock
        self._standing = frozenset(lease.match_id for lease in self._work)
        self._thread = threading.get_ident()  # which plays
        self._played: list[MatchResult] = []
        self._written = time.monotonic()
        self.lost = False

    def work(self) -> None:
        """Play match after match until the slice is over. What was not begun goes back into the queue."""
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
        """Play the match; False after a fault of the platform, which the next match would meet as well."""
        self._now, self._since = lease, time.monotonic()
        bind_contextvars(match_id=match.pk)
        try:
            self._played.append(self._play(lease, match, heartbeat))
        except PackageAway:  # nothing was begun, and it is nobody's fault
            leases_release([lease])
            raise
        except LeaseLost:
            self._note_lost(match, time.monotonic() - self._since)
            logger.warning("match %d: the lease of attempt %d is lost", match.pk, lease.attempt)
        except Exception as error:
            logger.exception("match %d: attempt %d is void", match.pk, lease.attempt)
            seat = error.seat if isinstance(error, BoxLost) else None
            took = time.monotonic() - self._since
            of_game = isinstance(error, (UnknownRuleset, OtherCode)) or is_raised_by(match.game, error)
            lease_return(lease, f"{type(error).__name__}: {error}", seat, seconds=took, of_game=of_game)
            return False
        finally:
            unbind_contextvars("match_id")
            self._now = None
            self._work.pop(lease)
        return True

    def _play(self, lease: Lease, match: Match, heartbeat: Heartbeat) -> MatchResult:
        order = match_order(match)
        # What is watched at a pace is played in order.
        order = replace(order, apart=1 if order.pace or match.tempo else APART)
        kept = games_kept(match)
        start = time.monotonic()
        log = LiveLog(lease, paced=order.pace > 0)
        heartbeat.expect(stall_seconds(order.limits, seats=len(order.entrants), pace=order.pace))
        looks_every = 0.0 if order.pace else LOOKS_EVERY
        looked, at = 0.0, -1

        def watch(index: int, table: Table) -> None:
            # Called after each action, which takes some ten microseconds: all of this would be another half.
            nonlocal looked, at
            heartbeat.progress = now = time.monotonic()
            if index == at and now - looked < looks_every and index != log.live:
                return
            looked, at = now, index
            if heartbeat.lost or lease.match_id not in self._standing:
                raise LeaseLost
            if not match.tempo:  # what is broadcast is seen when it is on air, not before
                log.follow(index, table)

        logs = [SeatLogPacker() for _ in order.entrants]
        games = []
        for game in games_played(order, self._cage, watch, kept, self._enough):
            for packer, one in zip(logs, game.logs, strict=True):
                packer.note(game.index, one)
            # What bots printed is kept within bounds alone: whole, for thousands of games, it would fill this process.
            games.append(replace(game, printed=(), logs=()))
        return MatchResult(lease, match, games, round((time.monotonic() - start) * 1000), kept, logs)

    def _enough(self) -> bool:
        return draining() or time.monotonic() >= self._until

    def _write(self) -> None:
        """Write all that was played since the last time; what cannot be written is a fault of the platform."""
        if not self._played:
            return
        try:
            written = results_write(self._played, worker_speed=self._speed)
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
            results_write([one], worker_speed=self._speed)
        except Exception as error:
            logger.exception("match %d: attempt %d is void", one.match.pk, one.lease.attempt)
            lease_return(one.lease, f"{type(error).__name__}: {error}", seconds=one.duration_ms / 1000)

    def _note_lost(self, match: Match, seconds: float) -> None:
        """Note a lease that is lost: who called the match off pays for what it took, who was cut off does not."""
        self.lost |= not called_off_pay(match_id=match.pk, seconds=seconds)

    def _leases(self) -> Iterator[Lease]:
        yield from self._work.copy()
        for one in self._played.copy():
            yield one.lease

    def _beat(self) -> bool:
        self._standing = leases_beat([*self._leases()])
        return bool(self._standing)

    def _hand_back(self) -> None:
        """Return all that is not written to the queue, at once and with nobody to blame."""
        leases_release([*self._leases()], begun=True)

    def _last_words(self, seconds: float) -> None:
        """Put the fault on the match that hangs, not on the others of the claim; and say so if its game does."""
        if self._now is not None:
            frame = sys._current_frames().get(self._thread)
            of_game = frame is not None and is_at(self._work[self._now].game, frame)
            reason = f"the game did not answer in {seconds:.0f} s" if of_game else f"no progress for {seconds:.0f} s"
            lease_return(self._now, reason, seconds=time.monotonic() - self._since, of_game=of_game)
        leases_release([lease for lease in self._work if lease != self._now])


LOG_WRITTEN_EVERY: Final = 1.0  # seconds
PACED_WRITTEN_EVERY: Final = 0.2  # where a match is slowed down to be watched


class LiveLog:
    """Follows the games of one attempt and writes them down, and announces it, every ``LOG_WRITTEN_EVERY`` seconds at
    most, oftener if the match is ``paced``.

    A game that viewers have seen begin is written once more the moment it ends. A match that is over sooner leaves no
    trace here. The log is for show: if it cannot be written the match goes on.
    """

    def __init__(self, lease: Lease, clock: Callable[[], float] = time.monotonic, *, paced: bool = False) -> None:
        self._every = PACED_WRITTEN_EVERY if paced else LOG_WRITTEN_EVERY
        self._lease = lease
        self._clock = clock
        self._written = clock()
        self._begun: dict[int, Table] = {}  # games since, of which all but the last one are over
        self.live: int | None = None  # the game that viewers have seen begin and not yet end

    def follow(self, index: int, table: Table) -> None:
        """Note that game ``index`` is at ``table``. To be called at its start, now and then, and after each action of a
        game that is ``live``."""
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
            announce(f"match.{self._lease.match_id}")
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
