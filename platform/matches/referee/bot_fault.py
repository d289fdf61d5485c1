"""Faults of bots, as their authors read them, and when they forfeit the whole match.

Every text comes from the bot: it is cleaned and cut here, once."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Self

from games.protocol import BotFault, Verdict
from games.untrusted import clean

EXCEPTION_KEPT: Final = 200  # characters, as the columns of matches.models.Fault allow
ANSWER_KEPT: Final = 300
DETAIL_KEPT: Final = 8000
OUTPUT_KEPT: Final = 16_000


@dataclass(frozen=True, slots=True)
class SeatFault:
    """What the bot of match seat ``seat`` did wrong, and the exact ``view`` it was given (None: it failed to start)."""

    seat: int
    verdict: Verdict
    action_index: int  # actions of all players before it
    view: Mapping[str, Any] | None
    exception: str = ""
    detail: str = ""
    line: int | None = None
    answer: str = ""
    output: str = ""  # what it printed in this game, the end of it
    cpu: float = 0.0  # seconds
    wall: float = 0.0
    limit: float | None = None  # the one it broke, in seconds or bytes

    @property
    def summary(self) -> str:
        """The last line of ``detail`` that tells what happened: under a traceback the exception."""
        lines = [line for line in self.detail.strip().splitlines() if not line.startswith("The rule: ")]
        return lines[-1] if lines else ""

    @classmethod
    def of(
        cls, fault: BotFault, *, seat: int, action_index: int, view: Mapping[str, Any] | None, printed: str = ""
    ) -> Self:
        """Return the cage's word, made fit to be stored; ``printed`` is so already, the last words included."""
        return cls(
            seat=seat,
            verdict=fault.verdict,
            action_index=action_index,
            view=view,
            exception=storable(fault.exception, EXCEPTION_KEPT),
            detail=storable(fault.detail, DETAIL_KEPT),
            line=fault.line,
            output=printed,
            cpu=fault.cpu,
            wall=fault.wall,
            limit=fault.limit,
        )


def storable(text: str, limit: int) -> str:
    """Return ``text`` cut to ``limit`` characters, each that is no text for a page or a database shown as U+FFFD."""
    text = text[:limit].encode("utf-8", "replace").decode("utf-8")
    return clean(text, 4 * len(text))


@dataclass(frozen=True, slots=True)
class FaultPolicy:
    """A bot at fault in more than ``share`` of a match's games, or in ``in_a_row`` one after the other, forfeits it.

    While a match is played its games are those it may have at most; once it is over, those that it had.
    """

    share: Fraction = Fraction(1, 5)
    in_a_row: int = 3


FAULT_POLICY: Final = FaultPolicy()


class FaultCounter:
    """The faults of one seat so far, game by game. A game of a forfeited match counts as one at fault."""

    __slots__ = ("_faults", "_longest", "_policy", "_run")

    def __init__(self, policy: FaultPolicy = FAULT_POLICY) -> None:
        self._policy = policy
        self._faults = self._run = self._longest = 0

    def note(self, *, at_fault: bool) -> None:
        """Count one more game."""
        self._faults += at_fault
        self._run = self._run + 1 if at_fault else 0
        self._longest = max(self._longest, self._run)

    def forfeits(self, games: int) -> bool:
        """Tell whether that is too much for a match of ``games``. Once it is, more games do not mend it."""
        return self._longest >= self._policy.in_a_row or self._faults > self._policy.share * games
