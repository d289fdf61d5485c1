"""The position from which the next rounds of a stage are drawn: its terms and facts, and nothing else."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from tournaments.formats.pairings import RankedEntrant, RoundPairings
from tournaments.formats.seating import EntrantsError, Seating
from tournaments.trf import RoundPlayed


@dataclass(frozen=True, slots=True)
class StageTerms:
    """The announced terms of a stage; see ``models.Stage``."""

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
        """The points for a bye, which are as many as for beating everyone at a full table."""
        return self.players_per_table - 1


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """Entries in seat order, and the reasons why they meet. ``reasons`` is a value for JSON."""

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
    """Everything from which the next rounds of a stage are drawn.

    Equal positions give equal draws. So the check of a proof can repeat each draw of the site.
    """

    __slots__ = ()

    @abstractmethod
    def draw(self) -> Drawn:
        """Draw the next rounds. Use nothing but this position.

        Raises:
            EntrantsError: too few entries are left.
        """

    def drawn_again(self, claimed: Sequence[object] | None) -> tuple[Drawn, bool]:
        """Draw the next rounds again to check a proof.

        Return the rounds, and whether they were drawn by other rules than those of the format. ``claimed`` has the
        tables in the proof; None if the proof has no tables.

        Raises:
            ModuleNotFoundError: a library that the draw needs is not installed. The error's ``name`` is its package.
        """
        return draw_position_next_rounds(self), False


class PlayableMatch(Protocol):
    """A match of a bracket whose players are known."""

    @property
    def seating(self) -> tuple[int, ...]: ...

    def write(self) -> dict[str, Any]: ...


class NextOfBracket(Protocol):
    """The part of a bracket that is needed to draw the next round."""

    @property
    def next_round(self) -> Sequence[PlayableMatch]: ...


class StageFacts(Protocol):
    """The facts about a stage. All rounds that were drawn so far are decided.

    The site reads the facts from the database. The check of a proof reads them from the links of a chain. A format uses
    the facts on which its rounds depend.
    """

    @property
    def present(self) -> Sequence[int]:
        """The entries that play on. In the second and later stages, the best seed comes first."""

    @property
    def drawn(self) -> int:
        """The number of rounds of the stage that were drawn so far."""

    @property
    def next_round(self) -> int:
        """The number of the next round. Rounds are numbered through all stages."""

    @property
    def luck(self) -> bytes:
        """The current luck, from which the next rounds are drawn."""

    @property
    def first_luck(self) -> bytes:
        """The first luck of the tournament. Lots in standings and seedings are always drawn from it."""

    @property
    def apart(self) -> Sequence[frozenset[int]]:
        """Pairs that should not meet."""

    @property
    def kin(self) -> Sequence[frozenset[int]]:
        """Groups whose members should not meet each other. In late rounds, points have priority."""

    def seeding(self) -> Sequence[int]:
        """Return all entries that take part or have taken part in the stage, the best seed first."""

    def contenders(self) -> Sequence[RankedEntrant]:
        """Return the points and the history of the entries that are present."""

    def rounds_played(self) -> Sequence[RoundPlayed]:
        """Return the rounds so far, as FIDE's report file has them. Call it only at tables of two."""

    def bracket(self) -> NextOfBracket:
        """Return the bracket of a format that has one.

        Raises:
            EntrantsError: too few entries have a seed.
        """


def draw_position_next_rounds(position: DrawPosition) -> Drawn:
    """Return the next rounds; none if the stage is over."""
    try:
        return position.draw()
    except EntrantsError:
        return ()


@dataclass(frozen=True, slots=True)
class Over(DrawPosition):
    """The position after all announced rounds."""

    def draw(self) -> Drawn:
        return ()


def drawn_round_from_pairings(draw: RoundPairings) -> DrawnRound:
    """Convert a round that was drawn by standings to the form that is stored."""
    return DrawnRound(
        [DrawnTable(table.seating, table.write()) for table in draw.tables],
        [DrawnBye(bye.entrant, bye.write()) for bye in draw.byes],
    )
