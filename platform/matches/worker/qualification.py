"""The check of an upload: it must start, play against itself and against a house bot, in the cage, without a fault."""

import logging

from django.conf import settings

from bots.check_queue import checks_wake, version_claim
from bots.models import BotVersion
from bots.package_store import PackageAway
from bots.services import version_accept, version_check_beat, version_refuse, version_requeue
from games.catalogue import current
from games.protocol import Limits
from live import announce
from matches.check_games.services import check_game_keep
from matches.referee import CageProtocol, GameResult
from matches.referee.trial import house_opponent, trial
from matches.worker.heartbeat import Heartbeat, LeaseLost
from matches.worker.playing import stall_seconds
from matches.worker.process import draining, worker_cage

logger = logging.getLogger(__name__)


def next_version_qualify() -> bool:
    """Check the version whose turn it is, if any; True if this call gave a verdict. A platform fault queues it again.

    A worker that is to stop checks none.

    Raises:
        SandboxUnavailable: this machine cannot cage bots; no version has been touched.
    """
    if draining():
        return False
    cage = worker_cage()
    claim = version_claim()
    if claim is None:
        return False
    version_id, attempt = claim
    try:
        closed = _checked(version_id, attempt, cage)
    except PackageAway as error:
        logger.warning("version %d waits: %s", version_id, error)
        version_requeue(version_id=version_id, attempt=attempt, is_fault=False)
        return False
    except LeaseLost:
        logger.warning("version %d: check %d is void", version_id, attempt)
        return False
    except Exception:
        logger.exception("version %d: check %d is void", version_id, attempt)
        if attempt == 1:  # later ones wait until the lease runs out: a fault that stays must not spin
            version_requeue(version_id=version_id, attempt=attempt)
        return False
    finally:
        checks_wake()  # of this author the next may be taken now
    announce(f"version.{version_id}")
    return closed


def _checked(version_id: int, attempt: int, cage: CageProtocol) -> bool:
    version = BotVersion.objects.select_related("bot", "package").get(pk=version_id)
    ruleset = current(version.bot.game)

    def renew() -> bool:
        return version_check_beat(version_id=version_id, attempt=attempt)

    def keep(stage: str, game: GameResult) -> None:
        check_game_keep(version_id=version_id, attempt=attempt, stage=stage, game=game)
        announce(f"version.{version_id}")

    def hand_back() -> None:
        version_requeue(version_id=version_id, attempt=attempt, is_fault=False)

    stall = stall_seconds(Limits(), seats=ruleset.seats.start)
    with Heartbeat(renew, stall=stall, hand_back=hand_back) as heartbeat:
        fault, report = trial(
            version.files(),
            house_opponent(ruleset.name),
            bytes.fromhex(version.sha256),
            ruleset,
            cage,
            seconds=settings.CHECK_SECONDS,
            alive=heartbeat.alive,
            played_out=keep,
        )
    close = version_refuse if fault else version_accept
    return close(version_id=version_id, attempt=attempt, report=report)
