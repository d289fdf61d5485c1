"""The time budget of a check: all its games share it, and computing is told apart from waiting."""

from collections.abc import Mapping
from time import monotonic
from typing import Any

from games.protocol import BotFault, Limits, PlatformFault, Verdict
from matches.referee.seat_player import BoxProtocol, CageProtocol


class OutOfTime(Exception):
    """The candidate has used up the time of its check. ``verdict``: by sleeping, or by computing."""

    def __init__(self, verdict: Verdict, seconds: float, cpu: float, slept: float) -> None:
        self.verdict = verdict
        self._used = {"cpu": cpu, "wall": cpu + slept, "limit": seconds}
        super().__init__(
            f"all games of a check have {seconds:g} s: the bot has computed {cpu:.1f} s, slept {slept:.1f} s"
        )

    def report(self) -> dict[str, Any]:
        """Return what the version's report says; see ``bots.models.BotVersion``."""
        return {"verdict": self.verdict.value, "detail": str(self), **self._used}


class ClockedCage:
    """A cage that keeps a check within ``seconds`` on the clock, and knows what of them the candidate has used.

    ``files`` are the candidate's; a bot started with others is not charged.
    """

    def __init__(self, cage: CageProtocol, files: Mapping[str, bytes], seconds: float) -> None:
        self._cage = cage
        self._files = files
        self._seconds = seconds
        self._began = monotonic()
        self._boxes: list[BoxProtocol] = []
        self._never_starts: BotFault | None = None

    def start(self, files: Mapping[str, bytes], table: Mapping[str, Any], seed: int, limits: Limits) -> BoxProtocol:
        """Start a bot; see ``sandbox.Cage.start``. A candidate that did not start is not started again.

        Raises:
            BotFault, PlatformFault: it did not start.
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
        """Seconds on the clock since the check began."""
        return monotonic() - self._began

    @property
    def is_act_idle(self) -> bool:
        """Whether the candidate has a class Bot, which is asked, and a function act, which is not."""
        return any(box.is_act_idle for box in self._boxes)

    def check(self) -> None:
        """Return while there is time left.

        Raises:
            OutOfTime: there is none, and the candidate has used the better part of it.
            PlatformFault: there is none, because the machine was slow.
        """
        taken = self.taken
        if taken <= self._seconds:
            return
        cpu, slept = sum(box.cpu for box in self._boxes), sum(box.slept for box in self._boxes)
        if cpu + slept <= taken / 2:
            raise PlatformFault(f"a check took {taken:.0f} s, of which the bot used {cpu + slept:.1f} s")
        raise OutOfTime(Verdict.SLEPT if slept > cpu else Verdict.CPU_TIME, self._seconds, cpu, slept)
