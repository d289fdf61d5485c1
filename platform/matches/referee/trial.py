"""The check of an upload: the bot must start, play a block against itself, and further blocks against a house bot.

A bot with a fault is refused. A check has up to ``GAMES_MOST`` games. The first two blocks are always played. Further
games are played only until the check has taken the part ``MORE_WITHIN`` of its time. So a slow bot is not refused for
being slow, and does not delay other checks.

The check is the same on the site, in the cage, and on an author's machine.

All games of a check share one time budget. If the bot uses it up, the report gives the seconds that the bot computed,
and the seconds that it slept.
"""

from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any, Final

from games.catalogue import GAMES
from games.dealer import block_seed
from games.protocol import BotFault, Limits, PlatformFault, Verdict
from games.ruleset import Ruleset
from games.table import Table
from matches.referee.bot_fault import SeatFault
from matches.referee.match_series import MatchSpec, series_games_play
from matches.referee.scoring import GameResult
from matches.referee.seat_player import BoxProtocol, CageProtocol


class OutOfTime(Exception):
    """Raised when the candidate has used up the time of its check.

    ``verdict`` says whether it used the time by sleeping or by computing.
    """

    def __init__(self, verdict: Verdict, seconds: float, cpu: float, slept: float) -> None:
        self.verdict = verdict
        self._used = {"cpu": cpu, "wall": cpu + slept, "limit": seconds}
        super().__init__(
            f"all games of a check have {seconds:g} s: the bot has computed {cpu:.1f} s, slept {slept:.1f} s"
        )

    def report(self) -> dict[str, Any]:
        """Return the entries of the version's report; see ``bots.models.BotVersion``."""
        return {"verdict": self.verdict.value, "detail": str(self), **self._used}


class ClockedCage:
    """A cage that limits a check to ``seconds`` of wall time, and measures the time that the candidate uses.

    ``files`` are the candidate's files. A bot started with other files is not charged.
    """

    def __init__(self, cage: CageProtocol, files: Mapping[str, bytes], seconds: float) -> None:
        self._cage = cage
        self._files = files
        self._seconds = seconds
        self._began = monotonic()
        self._boxes: list[BoxProtocol] = []
        self._never_starts: BotFault | None = None

    def start(self, files: Mapping[str, bytes], table: Mapping[str, Any], seed: int, limits: Limits) -> BoxProtocol:
        """Start a bot; see ``sandbox.Cage.start``. A candidate that has failed to start is not started again.

        Raises:
            BotFault, PlatformFault: the bot did not start.
            OutOfTime: see ``check``.
        """
        self.check()
        if files is not self._files:
            return self._cage.start(files, table, seed, limits)
        if self._never_starts is not None:
            raise self._never_starts
        try:
            box = self._cage.start(files, table, seed, limits)
        except BotFault as fault:
            self._never_starts = fault
            raise
        self._boxes.append(box)
        return box

    @property
    def taken(self) -> float:
        """Wall time since the check began, in seconds."""
        return monotonic() - self._began

    @property
    def is_act_idle(self) -> bool:
        """Whether the candidate has a class Bot, which is used, and also a function act, which is not used."""
        return any(box.is_act_idle for box in self._boxes)

    def check(self) -> None:
        """Check that there is time left.

        Raises:
            OutOfTime: the time is over, and the candidate has used more than half of it.
            PlatformFault: the time is over because the machine was slow.
        """
        taken = self.taken
        if taken <= self._seconds:
            return
        cpu, slept = sum(box.cpu for box in self._boxes), sum(box.slept for box in self._boxes)
        if cpu + slept <= taken / 2:
            raise PlatformFault(f"a check took {taken:.0f} s, of which the bot used {cpu + slept:.1f} s")
        raise OutOfTime(Verdict.SLEPT if slept > cpu else Verdict.CPU_TIME, self._seconds, cpu, slept)


CANDIDATE: Final = 0  # the candidate's seat against the house bot; against itself, the candidate has all seats
MIRROR: Final = "mirror"
AGAINST_HOUSE: Final = "house"
START: Final = "start"
GAMES_MOST: Final = 20  # in only four games, some bots would never steal a tile, bid or run out of cards
MORE_WITHIN: Final = 1 / 6  # the part of a check's time in which further games may be played
Stage = tuple[str, tuple[Mapping[str, bytes], ...], int]  # the name of the stage, its entrants, the number of blocks


class _Enough(Exception):
    """Raised when the required games of a check are played, and the time for further games is over."""


def trial_house_opponent(game: str) -> Mapping[str, bytes]:
    """Return the files of the house bot that candidates play against."""
    return {"bot.py": GAMES[game].house_bots[0].source()}


def trial_of_version(
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
    """Check the ``candidate``. Return whether it is at fault, and the report; see ``bots.models.BotVersion``.

    ``seed`` has at least 16 bytes and determines the luck of the games. ``seconds`` is the wall time for all games
    together. ``alive`` is called after every action; it may raise. ``played_out`` is called after each game with the
    name of its stage and the game.

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
        # With the same seed, every check has the same luck. In each block, the candidate plays in every seat.
        options = ruleset.validate(len(entrants), {})
        order = MatchSpec(ruleset, options, limits, block_seed(seed, stage), blocks, entrants)
        own = range(len(entrants)) if stage == MIRROR else (CANDIDATE,)
        try:
            for played in series_games_play(order, clocked, go_on):
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
