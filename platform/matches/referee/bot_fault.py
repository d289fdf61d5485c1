"""A bot's fault as its author will read it. Every text in it comes from the bot: it is cleaned and cut here, once."""

from collections.abc import Mapping
from dataclasses import dataclass
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
