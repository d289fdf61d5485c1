"""What a machine lacks to cage bots (``Layer``, ``SandboxUnavailable``), and a bot's answer (``Reply``). Faults of bots
are in ``games.protocol``.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from games.explanation import MoveExplanation


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer of the cage on this machine. ``fix`` says what to do if it is missing.

    ``behind`` names the missing layer without which this layer could not be tried.
    """

    name: str
    ok: bool
    detail: str
    fix: str = ""
    behind: bool = False


class SandboxUnavailable(RuntimeError):
    """This machine cannot cage bots, so no bot runs. ``layers`` are the missing layers."""

    def __init__(self, layers: Sequence[Layer]) -> None:
        super().__init__(layers)
        self.layers = tuple(layers)

    def __str__(self) -> str:
        missing = "; ".join(f"{layer.name} ({layer.detail}): {layer.fix}" for layer in self.layers)
        return f"bots are refused on this machine; missing: {missing}"


# A Struct, because creating a dataclass for each action would take four times as long.
class Reply(msgspec.Struct, frozen=True):
    """A bot's answer, what it printed since its last answer, the seconds charged, and its explanation of the move."""

    action: str
    output: str
    cpu: float
    wall: float
    explanation: MoveExplanation | None = None
