"""What the machine lacks to cage bots, and what a bot answers. Faults are the protocol's: see ``games.protocol``."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from games.explanation import MoveExplanation


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


class Reply(msgspec.Struct, frozen=True):  # not a dataclass: one is made for each action, four times as fast
    """What a bot answered, what it printed since its last answer, the seconds charged, and what it says of it."""

    action: str
    output: str
    cpu: float
    wall: float
    explanation: MoveExplanation | None = None
