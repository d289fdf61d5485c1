"""The check of an upload: it must start, play against itself and against a house bot, in the cage, without a fault."""

import logging
from collections.abc import Callable, Mapping
from typing import Any, Final

from bots.house import HOUSE
from bots.models import BotVersion
from bots.services import (
    version_accept,
    version_check_beat,
    version_check_begin,
    version_refuse,
    version_requeue,
)
from games.dealer import block_seed
from games.protocol import Limits
from games.ruleset import Ruleset
from games.rulesets import find
from matches.heartbeat import Heartbeat, LeaseLost
from matches.live import announce
from matches.playing import stall_seconds
from matches.referee import Cage, Order, PlayedGame, SeatFault, games_played
from matches.worker import worker_cage

logger = logging.getLogger(__name__)

CANDIDATE: Final = 0  # its seat against the house; against itself it has all of them
MIRROR: Final = "mirror"
AGAINST_HOUSE: Final = "house"
START: Final = "start"
Stage = tuple[str, tuple[Mapping[str, bytes], ...]]  # its name, and who sits down


def version_qualify(version_id: int) -> bool:
    """Checks the version if it waits for that; True if this call gave the verdict. A platform fault queues it again.

    Raises:
        Denied: this machine cannot cage bots; the version has not been touched.
    """
    cage = worker_cage()
    attempt = version_check_begin(version_id=version_id)
    if attempt is None:
        return False
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
    announce(f"version.{version_id}")
    return closed


def _checked(version_id: int, attempt: int, cage: Cage) -> bool:
    version = BotVersion.objects.select_related("bot").get(pk=version_id)
    ruleset = find(version.bot.ruleset)
    limits = Limits()

    def renew() -> bool:
        return version_check_beat(version_id=version_id, attempt=attempt)

    with Heartbeat(renew, stall=stall_seconds(limits, seats=ruleset.seats.start)) as heartbeat:
        fault, report = _trial(version, ruleset, limits, cage, heartbeat.alive)
    close = version_refuse if fault else version_accept
    return close(version_id=version_id, attempt=attempt, report=report)


def _trial(
    version: BotVersion, ruleset: Ruleset, limits: Limits, cage: Cage, alive: Callable[[], None]
) -> tuple[SeatFault | None, dict[str, Any]]:
    """The candidate's first fault, if any, and the report; see ``bots.models.BotVersion``."""
    games: list[PlayedGame] = []
    for stage, entrants in _stages(ruleset.name, version.files(), ruleset.seats.start):
        # The same bytes meet the same luck at every check; one block seats the candidate everywhere.
        secret = block_seed(bytes.fromhex(version.sha256), stage)
        order = Order(ruleset, ruleset.validate(len(entrants), {}), limits, secret, 1, entrants)
        own = range(len(entrants)) if stage == MIRROR else (CANDIDATE,)
        for played in games_played(order, cage, lambda _index, _table: alive()):
            games.append(played)
            faults = [fault for fault in played.faults if fault.seat in own]
            if faults:
                first = min(faults, key=lambda fault: fault.action_index)
                return first, _refusal(stage, first, len(games))
    return None, _acceptance(games, limits)


def _stages(game: str, files: Mapping[str, bytes], players: int) -> tuple[Stage, ...]:
    opponent = {"bot.py": HOUSE[game][0].source()}
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


def _acceptance(games: list[PlayedGame], limits: Limits) -> dict[str, Any]:
    return {
        "games": len(games),
        "slowest_action": max(game.slowest[CANDIDATE] for game in games),
        "cpu": sum(game.cpu[CANDIDATE] for game in games),
        "limit": limits.act_cpu,
        "output": games[0].printed[CANDIDATE],
    }
