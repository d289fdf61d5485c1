"""All that the next rounds of a stage follow from: its terms, its facts, and the rounds drawn from them alone."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from tournaments.formats.pairings import RankedEntrant, RoundPairings
from tournaments.formats.seating import EntrantsError, Seating
from tournaments.trf import RoundPlayed


@dataclass(frozen=True, slots=True)
class StageTerms:
    """As announced; see ``models.Stage``."""

    number: int
    format: str
    rounds: int
    entrants: int
    players_per_table: int
    smallest_table: int
    blocks: int
    stopping: Mapping[str, Any]
    third_place: bool

    @property
    def bye_points(self) -> int:
        """What a bye is worth: as much as beating everyone at a full table."""
        return self.players_per_table - 1


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """Entries in seat order, and why they were put together, ready for JSON."""

    seating: Seating
    reasons: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class DrawnBye:
    entry: int
    reasons: dict[str, Any]


@dataclass(frozen=True, slots=True)
class DrawnRound:
    tables: Sequence[DrawnTable]
    byes: Sequence[DrawnBye] = ()


Drawn: TypeAlias = Sequence[DrawnRound]


class DrawPosition(ABC):
    """All that the next rounds of a stage follow from: equal positions give equal draws, here and at home."""

    __slots__ = ()

    @abstractmethod
    def draw(self) -> Drawn:
        """Draw what is played next, reading nothing else.

        Raises:
            EntrantsError: too few are left.
        """

    def drawn_again(self, claimed: Sequence[object] | None) -> tuple[Drawn, bool]:
        """Return what is played next, as the check of a proof draws it, and whether other rules than the format's
        drew it. ``claimed``: the tables in the proof; None where it has none.

        Raises:
            ModuleNotFoundError: a library that drew it is not installed here; ``name`` is its package.
        """
        return next_rounds(self), False


class PlayableMatch(Protocol):
    """A match of a bracket that has its players."""

    @property
    def seating(self) -> tuple[int, ...]: ...

    def write(self) -> dict[str, Any]: ...


class NextOfBracket(Protocol):
    """A bracket, as far as the next round follows from it."""

    @property
    def next_round(self) -> Sequence[PlayableMatch]: ...


class StageFacts(Protocol):
    """What is known of a stage all of whose rounds so far are decided: read from rows on the site, from the events of a
    chain where a proof is checked. A format takes of it what its rounds follow from."""

    @property
    def present(self) -> Sequence[int]:
        """Who plays on, the best seed first in a later stage."""

    @property
    def drawn(self) -> int:
        """Rounds of the stage so far."""

    @property
    def next_round(self) -> int:
        """The number of the next round, through all stages."""

    @property
    def luck(self) -> bytes:
        """What is drawn now follows from it."""

    @property
    def first_luck(self) -> bytes:
        """Lots of standings and seeding follow from it, for good."""

    @property
    def apart(self) -> Sequence[frozenset[int]]:
        """Pairs that should not meet."""

    @property
    def kin(self) -> Sequence[frozenset[int]]:
        """Groups whose members should not meet each other, in late rounds if points allow it."""

    def seeding(self) -> Sequence[int]:
        """Return everyone who takes, or took, part, the best seed first."""

    def contenders(self) -> Sequence[RankedEntrant]:
        """Return the points and the past of those present."""

    def rounds_played(self) -> Sequence[RoundPlayed]:
        """Return the rounds so far as FIDE's report file has them; for tables of two."""

    def bracket(self) -> NextOfBracket:
        """Return the bracket, of a format that has one.

        Raises:
            EntrantsError: too few have a seed.
        """


def next_rounds(position: DrawPosition) -> Drawn:
    """Return what is played next; nothing if the stage is over."""
    try:
        return position.draw()
    except EntrantsError:
        return ()


@dataclass(frozen=True, slots=True)
class Over(DrawPosition):
    """All announced rounds are played."""

    def draw(self) -> Drawn:
        return ()


def drawn_round(draw: RoundPairings) -> DrawnRound:
    """Return a round drawn by standings, ready to be kept."""
    return DrawnRound(
        [DrawnTable(table.seating, table.write()) for table in draw.tables],
        [DrawnBye(bye.entrant, bye.write()) for bye in draw.byes],
    )
