"""The check of an upload on a worker: claim the next version, let the referee check it, and record the verdict."""

import logging
import sys
import threading

from django.conf import settings

from bots.checks import (
    version_check_accept,
    version_check_beat,
    version_check_refuse,
    version_check_requeue,
    version_checks_wake,
    version_claim,
)
from bots.models import BotVersion
from bots.package_objects import PackageAway
from games.catalogue import UnknownRuleset, current
from games.catalogue.code import game_code_raised, game_code_runs_at
from games.protocol import Limits
from live import hub_announce
from matches.models import CheckGame
from matches.referee import CageProtocol, GameResult
from matches.referee.trial import trial_house_opponent, trial_of_version
from matches.worker.playing import worker_playing_stall_seconds
from matches.worker.process import Heartbeat, LeaseLost, worker_process_cage, worker_process_is_draining
from web.database import database_persistent

logger = logging.getLogger(__name__)


def qualification_check_next() -> bool:
    """Check the next version in the queue, if there is one. Return True if this call recorded a verdict.

    After a fault of the platform, the version returns to the queue. A worker that is draining checks nothing.

    Raises:
        SandboxUnavailable: this machine cannot cage bots; no version has been touched.
    """
    if worker_process_is_draining():
        return False
    cage = worker_process_cage()
    claim = version_claim()
    if claim is None:
        return False
    version_id, attempt = claim
    try:
        closed = _checked(version_id, attempt, cage)
    except PackageAway as error:
        logger.warning("version %d waits: %s", version_id, error)
        version_check_requeue(version_id=version_id, attempt=attempt, is_fault=False)
        return False
    except LeaseLost:
        logger.warning("version %d: check %d is void", version_id, attempt)
        return False
    except Exception as error:
        logger.exception("version %d: check %d is void", version_id, attempt)
        game_fault = f"{type(error).__name__}: {error}" if _is_of_game(version_id, error) else ""
        if game_fault or attempt == 1:  # later attempts wait until the lease expires, so that faults do not loop
            version_check_requeue(version_id=version_id, attempt=attempt, game_fault=game_fault)
            hub_announce(f"version.{version_id}")
        return False
    finally:
        version_checks_wake()  # the next version of this author may be claimed now
    hub_announce(f"version.{version_id}")
    return closed


def _checked(version_id: int, attempt: int, cage: CageProtocol) -> bool:
    version = BotVersion.objects.select_related("bot", "package").get(pk=version_id)
    ruleset = current(version.bot.game)

    def renew() -> bool:
        return version_check_beat(version_id=version_id, attempt=attempt)

    def keep(stage: str, game: GameResult) -> None:
        qualification_game_store(version_id=version_id, attempt=attempt, stage=stage, game=game)
        hub_announce(f"version.{version_id}")

    def hand_back() -> None:
        version_check_requeue(version_id=version_id, attempt=attempt, is_fault=False)

    thread = threading.get_ident()

    def last_words(waited: float) -> None:
        frame = sys._current_frames().get(thread)
        if frame is not None and game_code_runs_at(ruleset.name, frame):
            reason = f"the game did not answer in {waited:.0f} s"
            version_check_requeue(version_id=version_id, attempt=attempt, game_fault=reason)

    stall = worker_playing_stall_seconds(Limits(), seats=ruleset.seats.start)
    with Heartbeat(renew, stall=stall, hand_back=hand_back, last_words=last_words) as heartbeat:
        fault, report = trial_of_version(
            version.files(),
            trial_house_opponent(ruleset.name),
            bytes.fromhex(version.sha256),
            ruleset,
            cage,
            seconds=settings.CHECK_SECONDS,
            alive=heartbeat.alive,
            played_out=keep,
        )
    close = version_check_refuse if fault else version_check_accept
    return close(version_id=version_id, attempt=attempt, report=report)


def _is_of_game(version_id: int, error: Exception) -> bool:
    """Return whether the code of the game made the check fail: it raised ``error``, or is not installed."""
    game = BotVersion.objects.values_list("bot__game", flat=True).get(pk=version_id)
    return isinstance(error, UnknownRuleset) or game_code_raised(game, error)


@database_persistent
def qualification_game_store(*, version_id: int, attempt: int, stage: str, game: GameResult) -> None:
    """Store a game of this attempt at a check. Readers see only the games of the current attempt."""
    CheckGame.objects.get_or_create(
        version_id=version_id,
        attempt=attempt,
        stage=stage,
        index=game.index,
        defaults={
            "record": game.record.encode(),
            "places": game.places,
            "reason": game.reason,
            "tie_break": game.tie_break,
        },
    )
