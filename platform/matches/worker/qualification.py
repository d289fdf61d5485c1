"""The check of an upload: it must start, play against itself and against a house bot, in the cage, without a fault."""

import logging
from collections.abc import Callable, Mapping
from typing import Any, Final

from django.conf import settings

from bots.models import BotVersion
from bots.services import version_accept, version_check_beat, version_refuse, version_requeue
from bots.turns import checks_wake, version_claim
from games.catalogue import GAMES, current
from games.dealer import block_seed
from games.protocol import Limits
from games.ruleset import Ruleset
from games.table import Table
from matches.live import announce
from matches.referee import CageProtocol, GameResult, MatchSpec, SeatFault, games_played
from matches.worker.clocked import ClockedCage, OutOfTime
from matches.worker.heartbeat import Heartbeat, LeaseLost
from matches.worker.playing import stall_seconds
from matches.worker.process import worker_cage

logger = logging.getLogger(__name__)

CANDIDATE: Final = 0  # its seat against the house; against itself it has all of them
MIRROR: Final = "mirror"
AGAINST_HOUSE: Final = "house"
START: Final = "start"
Stage = tuple[str, tuple[Mapping[str, bytes], ...]]  # its name, and who sits down


def next_version_qualify() -> bool:
    """Check the version whose turn it is, if any; True if this call gave a verdict. A platform fault queues it again.

    Raises:
        SandboxUnavailable: this machine cannot cage bots; no version has been touched.
    """
    cage = worker_cage()
    claim = version_claim()
    if claim is None:
        return False
    version_id, attempt = claim
    try:
        closed = _checked(version_id, attempt, cage)
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
    limits = Limits()

    def renew() -> bool:
        return version_check_beat(version_id=version_id, attempt=attempt)

    with Heartbeat(renew, stall=stall_seconds(limits, seats=ruleset.seats.start)) as heartbeat:
        fault, report = _trial(version, ruleset, limits, cage, heartbeat.alive)
    close = version_refuse if fault else version_accept
    return close(version_id=version_id, attempt=attempt, report=report)


def _trial(
    version: BotVersion, ruleset: Ruleset, limits: Limits, cage: CageProtocol, alive: Callable[[], None]
) -> tuple[bool, dict[str, Any]]:
    """Tell whether the candidate is at fault, and the report; see ``bots.models.BotVersion``."""
    games: list[GameResult] = []
    files = version.files()
    clocked = ClockedCage(cage, files, settings.CHECK_SECONDS)

    def go_on(_index: int, _table: Table) -> None:
        alive()
        clocked.check()

    for stage, entrants in _stages(ruleset.name, files, ruleset.seats.start):
        # The same bytes meet the same luck at every check; one block seats the candidate everywhere.
        secret = block_seed(bytes.fromhex(version.sha256), stage)
        order = MatchSpec(ruleset, ruleset.validate(len(entrants), {}), limits, secret, 1, entrants)
        own = range(len(entrants)) if stage == MIRROR else (CANDIDATE,)
        try:
            for played in games_played(order, clocked, go_on):
                games.append(played)
                faults = [fault for fault in played.faults if fault.seat in own]
                if faults:
                    first = min(faults, key=lambda fault: fault.action_index)
                    return True, _refusal(stage, first, len(games))
        except OutOfTime as spent:
            return True, spent.report() | {"stage": stage, "games": len(games)}
    return False, _acceptance(games, limits)


def _stages(game: str, files: Mapping[str, bytes], players: int) -> tuple[Stage, ...]:
    opponent = {"bot.py": GAMES[game].house_bots[0].source()}
    return (MIRROR, (files,) * players), (AGAINST_HOUSE, (files, *(opponent,) * (players - 1)))


def _refusal(stage: str, fault: SeatFault, games: int) -> dict[str, Any]:
    return {
        "stage": START if fault.view is None else stage,
        "verdict": fault.verdict.value,
        "exception": fault.exception,
        "detail": fault.detail,
        "line": fault.line,
        "view": fault.view,
        "answer": fault.answer,
        "output": fault.output,
        "cpu": fault.cpu,
        "wall": fault.wall,
        "limit": fault.limit,
        "games": games,
    }


def _acceptance(games: list[GameResult], limits: Limits) -> dict[str, Any]:
    return {
        "games": len(games),
        "slowest_action": max(game.slowest[CANDIDATE] for game in games),
        "cpu": sum(game.cpu[CANDIDATE] for game in games),
        "limit": limits.act_cpu,
        "output": games[0].printed[CANDIDATE],
    }
