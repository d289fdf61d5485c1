"""A match of a knockout of two at a table: who plays it, where they come from, and who goes on."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from tournaments.formats.knockout.plan import BracketSlot, SlotSource
from tournaments.formats.knockout.verdict import BracketDecision, DecidedBy


@dataclass(frozen=True, slots=True)
class Side:
    """A player of a match and where it comes from. Without an entrant it is either not decided yet or, if ``empty``,
    nobody: then the other one passes."""

    feed: SlotSource
    entrant: int | None = None
    seed: int = 0
    empty: bool = False

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "Side":
        """Return the side of which ``write`` gave ``data``."""
        return cls(SlotSource.read(data["feed"]), data["entrant"], data["seed"], data["empty"])

    def write(self) -> dict[str, Any]:
        """Return it as JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """A match of a knockout. ``drawn``: it is to be played, or has been."""

    place: BracketSlot
    level: int
    first: Side
    second: Side
    drawn: bool = False
    verdict: BracketDecision | None = None

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "BracketMatch":
        """Return the bout of which ``write`` gave ``data``."""
        verdict = BracketDecision.read(data["verdict"]) if data["verdict"] else None
        sides = Side.read(data["first"]), Side.read(data["second"])
        return cls(BracketSlot.read(data["place"]), data["level"], *sides, data["drawn"], verdict)

    def write(self) -> dict[str, Any]:
        """Return it as JSON."""
        return asdict(self)

    def of_seat(self, entrant: int) -> dict[str, Any]:
        """Return nothing: exports tell no more of a seat than its place in the bracket."""
        return {}

    @property
    def seating(self) -> tuple[int, ...]:
        """The players who are known, in seat order."""
        return tuple(side.entrant for side in (self.first, self.second) if side.entrant is not None)

    @property
    def empty(self) -> bool:
        """No match will ever be played here: one passes, or there is nobody at all."""
        return self.first.empty or self.second.empty

    @property
    def decided(self) -> bool:
        return self.verdict is not None

    @property
    def goes_on(self) -> tuple[int, ...]:
        """Who wins it; nobody while it is not decided."""
        return (self.verdict.winner,) if self.verdict else ()

    @property
    def by(self) -> DecidedBy | None:
        """What told the winner from the loser."""
        return self.verdict.by if self.verdict else None
