"""Three things that are never confused: the machine cannot cage bots, the platform failed, the bot failed."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from games.protocol import Verdict


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer of the cage as this machine has it; ``fix`` says what to do where it is missing.

    One that is ``behind`` another that is missing could not even be tried.
    """

    name: str
    ok: bool
    detail: str
    fix: str = ""
    behind: bool = False


class SandboxUnavailable(RuntimeError):
    """This machine cannot cage bots, so none is run. ``layers`` are those missing."""

    def __init__(self, layers: Sequence[Layer]) -> None:
        super().__init__(layers)
        self.layers = tuple(layers)

    def __str__(self) -> str:
        missing = "; ".join(f"{layer.name} ({layer.detail}): {layer.fix}" for layer in self.layers)
        return f"bots are refused on this machine; missing: {missing}"


class PlatformFault(RuntimeError):
    """Our own failure: the attempt is void and no bot is to blame."""


class BotFault(Exception):
    """The bot's failure. Its box is dead.

    ``detail`` and ``output`` are the author's own words and for the author's eyes: capped, without control characters,
    not yet escaped for any page. ``cpu`` and ``wall`` are the seconds used, against ``limit`` where one was broken.
    """

    def __init__(
        self,
        verdict: Verdict,
        detail: str = "",
        *,
        line: int | None = None,
        exception: str = "",
        cpu: float = 0.0,
        wall: float = 0.0,
        limit: float | None = None,
        output: str = "",
    ) -> None:
        super().__init__(verdict, detail)
        self.verdict = verdict
        self.detail = detail
        self.line = line
        self.exception = exception
        self.cpu = cpu
        self.wall = wall
        self.limit = limit
        self.output = output

    def __str__(self) -> str:
        return f"{self.verdict.value}: {self.detail}"


class Reply(msgspec.Struct, frozen=True):  # not a dataclass: one is made for each action, four times as fast
    """What a bot answered, what it printed since its last answer, and the seconds charged for it."""

    action: str
    output: str
    cpu: float
    wall: float
