"""A match of a knockout for a page, at tables of any size, and where it stands."""

from dataclasses import dataclass

from matches.models import MatchState
from tournaments.formats.knockout import Part
from tournaments.models import Entry
from tournaments.selectors.rounds.fixtures import FixturePairing


@dataclass(frozen=True, slots=True)
class SideShown:
    """``origin``: where it comes from, in words. Without an entry it is not known yet, or ``nobody``. ``earned``: the
    seed that it would have, if it was moved away from bots of its author; else 0."""

    entry: Entry | None
    seed: int
    origin: str
    nobody: bool
    score: float | None
    wins: bool
    loses: bool
    disqualified: bool = False
    earned: int = 0


@dataclass(frozen=True, slots=True)
class BracketMatchShown:
    """``reason``: why the winner won, or those of a heat go on. Nobody plays a bout that is a ``bye``; nobody is in one
    that is ``void``."""

    key: str
    name: str
    sides: tuple[SideShown, ...]
    pairing: FixturePairing | None
    reason: str
    bye: bool
    void: bool

    @property
    def winner(self) -> Entry | None:
        """Who won it; None until then, of a bye, and of a heat of which several go on."""
        won = [side.entry for side in self.sides if side.wins]
        return won[0] if len(won) == 1 and not self.bye else None

    @property
    def state(self) -> MatchState | None:
        return self.pairing.state if self.pairing else None

    @property
    def airs_later(self) -> bool:
        return self.pairing is not None and self.pairing.airs_later


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    bouts: tuple[BracketMatchShown, ...]


@dataclass(frozen=True, slots=True)
class PartShown:
    """``halves``: each column has half as many matches as the one before."""

    part: Part
    name: str
    columns: tuple[Column, ...]

    @property
    def halves(self) -> bool:
        return self.part is Part.WINNERS
