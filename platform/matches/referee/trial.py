"""The check of an upload: it must start, play a block against itself and others against a house bot, without a fault.

A check has ``GAMES_MOST`` games. Those of its first two blocks are always played, the others only as long as all have
taken no more than ``MORE_WITHIN`` of the time, so that a bot that thinks long is neither refused for it nor in the way.

The same on the site, in the cage, and at an author's home.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from games.catalogue import GAMES
from games.dealer import block_seed
from games.protocol import Limits
from games.ruleset import Ruleset
from games.table import Table
from matches.referee.bot_fault import SeatFault
from matches.referee.clocked import ClockedCage, OutOfTime
from matches.referee.game_result import GameResult
from matches.referee.seat_player import CageProtocol
from matches.referee.series import MatchSpec, games_played

CANDIDATE: Final = 0  # its seat against the house; against itself it has all of them
MIRROR: Final = "mirror"
AGAINST_HOUSE: Final = "house"
START: Final = "start"
GAMES_MOST: Final = 20  # in games of four and less not every bot has stolen a tile, bid or run out of cards
MORE_WITHIN: Final = 1 / 6  # of the seconds of a check
Stage = tuple[str, tuple[Mapping[str, bytes], ...], int]  # its name, who sits down, and the number of blocks


class _Enough(Exception):
    """The games that a check must have are played, and the time for more of them is over."""


def house_opponent(game: str) -> Mapping[str, bytes]:
    """Return the files of the house bot that a candidate meets."""
    return {"bot.py": GAMES[game].house_bots[0].source()}


def trial(
    candidate: Mapping[str, bytes],
    opponent: Mapping[str, bytes],
    seed: bytes,
    ruleset: Ruleset,
    cage: CageProtocol,
    *,
    seconds: float,
    alive: Callable[[], None] = lambda: None,
    played_out: Callable[[str, GameResult], None] = lambda stage, game: None,
) -> tuple[bool, dict[str, Any]]:
    """Tell whether the candidate is at fault, and the report; see ``bots.models.BotVersion``. The same ``seed`` of 16
    bytes or more is the same luck. All games have so many ``seconds``; ``alive`` is called on the way and may raise,
    ``played_out`` for each game that has ended, with the stage that it belongs to.

    Raises:
        PlatformFault: the cage broke, or the machine was too slow.
    """
    games: list[GameResult] = []
    limits = Limits()
    clocked = ClockedCage(cage, candidate, seconds)

    players = ruleset.seats.start

    def go_on(_index: int, _table: Table) -> None:
        alive()
        clocked.check()
        if len(games) >= 2 * players and clocked.taken > MORE_WITHIN * seconds:
            raise _Enough

    for stage, entrants, blocks in _stages(candidate, opponent, players):
        # The same bytes meet the same luck at every check; each block seats the candidate everywhere.
        options = ruleset.validate(len(entrants), {})
        order = MatchSpec(ruleset, options, limits, block_seed(seed, stage), blocks, entrants)
        own = range(len(entrants)) if stage == MIRROR else (CANDIDATE,)
        try:
            for played in games_played(order, clocked, go_on):
                games.append(played)
                played_out(stage, played)
                faults = [fault for fault in played.faults if fault.seat in own]
                if faults:
                    first = min(faults, key=lambda fault: fault.action_index)
                    return True, _refusal(stage, first, len(games)) | _entry_point(clocked)
        except _Enough:
            break
        except OutOfTime as spent:
            return True, spent.report() | {"stage": stage, "games": len(games)} | _entry_point(clocked)
    return False, _acceptance(games, limits) | _entry_point(clocked)


def _stages(candidate: Mapping[str, bytes], opponent: Mapping[str, bytes], players: int) -> tuple[Stage, ...]:
    house = (candidate, *(opponent,) * (players - 1))
    return (MIRROR, (candidate,) * players, 1), (AGAINST_HOUSE, house, GAMES_MOST // players - 1)


def _entry_point(clocked: ClockedCage) -> dict[str, Any]:
    return {"act_idle": True} if clocked.is_act_idle else {}


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
