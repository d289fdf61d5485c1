"""Faults of bots, as their authors read them, and the policy by which faults forfeit a match.

All texts come from the bot. They are cleaned and truncated here, and nowhere else."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Self

from games.protocol import BotFault, Verdict
from games.untrusted import untrusted_text_clean

EXCEPTION_KEPT: Final = 200  # characters, as the columns of matches.models.Fault allow
ANSWER_KEPT: Final = 300
DETAIL_KEPT: Final = 8000
OUTPUT_KEPT: Final = 16_000


@dataclass(frozen=True, slots=True)
class SeatFault:
    """What the bot of match seat ``seat`` did wrong.

    ``view`` is exactly the view that the bot was given. It is None if the bot failed to start.
    """

    seat: int
    verdict: Verdict
    action_index: int  # number of earlier actions of all players
    view: Mapping[str, Any] | None
    exception: str = ""
    detail: str = ""
    line: int | None = None
    answer: str = ""
    output: str = ""  # the end of what the bot printed in this game
    cpu: float = 0.0  # seconds
    wall: float = 0.0
    limit: float | None = None  # the limit that was exceeded, in seconds or bytes

    @property
    def summary(self) -> str:
        """The last line of ``detail`` that quotes no rule. In a traceback, this line is the exception."""
        lines = [line for line in self.detail.strip().splitlines() if not line.startswith("The rule: ")]
        return lines[-1] if lines else ""

    @classmethod
    def of(
        cls, fault: BotFault, *, seat: int, action_index: int, view: Mapping[str, Any] | None, printed: str = ""
    ) -> Self:
        """Return a fault that the cage reported. ``printed`` is the output so far, which is already storable."""
        return cls(
            seat=seat,
            verdict=fault.verdict,
            action_index=action_index,
            view=view,
            exception=bot_fault_text_storable(fault.exception, EXCEPTION_KEPT),
            detail=bot_fault_text_storable(fault.detail, DETAIL_KEPT),
            line=fault.line,
            output=printed,
            cpu=fault.cpu,
            wall=fault.wall,
            limit=fault.limit,
        )


def bot_fault_text_storable(text: str, limit: int) -> str:
    """Return ``text`` truncated to ``limit`` characters, without characters that a page or a database cannot show.

    Control characters become U+FFFD, and surrogates become question marks.
    """
    text = text[:limit].encode("utf-8", "replace").decode("utf-8")
    return untrusted_text_clean(text, 4 * len(text))


@dataclass(frozen=True, slots=True)
class FaultPolicy:
    """A bot forfeits a match if it is at fault in more than ``share`` of its games, or in ``in_a_row`` games in a row.

    While a match is played, ``share`` refers to the largest possible number of games; afterwards, to the games played.
    """

    share: Fraction = Fraction(1, 5)
    in_a_row: int = 3


FAULT_POLICY: Final = FaultPolicy()


class FaultCounter:
    """Counts the games in which a seat was at fault, including the games that the stand-in plays after a forfeit."""

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
        """Return whether these faults forfeit a match of ``games`` games. Further games do not revoke this."""
        return self._longest >= self._policy.in_a_row or self._faults > self._policy.share * games
