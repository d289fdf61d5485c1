"""The interface of tournament formats: everything that other packages need to know about a format."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from tournaments.formats.draw_position import DrawPosition, StageFacts, StageTerms
from tournaments.formats.knockout.bracket import Bracket, HeatShare
from tournaments.formats.knockout.heats import Heats
from tournaments.formats.knockout.plan import BracketSlot
from tournaments.standings import Row

TABLES = range(2, 8)  # the numbers of players that games allow at a table
EVERYONE_MEETS = ("wins", "direct_encounter", "sonneborn_berger", "margin")
SOME_MEET = ("buchholz_cut_1", "buchholz", "direct_encounter", "wins", "margin")


@dataclass(frozen=True, slots=True)
class Plan:
    """How much a given number of entries will play.

    ``games`` is the number of games of all matches together. Each pair of bots meets at least ``least`` and at most
    ``most`` times; None if this is not known in advance.
    """

    rounds: int
    matches: int
    games: int
    least: int | None = None
    most: int | None = None
    byes: int = 0  # byes in each round
    seats: int = 2  # seats at the largest table


class Reasons(Protocol):
    """The reasons for which bots meet at a table, as the format stores them."""

    def write(self) -> dict[str, Any]:
        """Return the reasons as a value for JSON."""

    def of_seat(self, entrant: int) -> dict[str, Any]:
        """Return the cells of a seat in ``fixtures.csv``, by name of the column; see ``selectors.pages.exports``."""


@dataclass(frozen=True, kw_only=True)
class Format(ABC):
    """A tournament format. A subclass draws rounds; its instances have the settings of single formats.

    Texts are English, and are translated when a page shows them. The templates are in the folder ``formats/<family>/``:
    ``facts.html`` describes a stage in the announcement. If rounds are drawn one by one, ``round.html`` explains the
    tables of a round.
    """

    code: str  # in the database, in proofs and in the API, so never change it
    label: str
    summary: str  # one sentence that helps the organiser to choose a format
    family: str
    tables: Collection[int] = TABLES  # the numbers of players per table that the format allows
    wrong_tables: str = ""  # the message if a table has another number of players; may contain %(format)s
    tie_breaks: tuple[str, ...] = EVERYONE_MEETS  # codes of the tie-breaks, if the organiser chooses none
    entrants_most: int | None = None  # None: limited only by the tournament
    takes_rounds: bool = False  # the organiser chooses the number of rounds
    takes_third_place: bool = False  # the organiser may choose a match for the third place
    is_final: bool = False  # the format may follow another stage, from which the best bots go on
    fills_up: bool = False  # tables may be smaller if the number of entries is not a multiple of the seats
    draws_one_by_one: bool = (
        False  # each round is drawn when the one before is finished, so that bots may leave between rounds
    )
    draws_by_standings: bool = False  # each round is drawn from the points, so that bots may also enter between rounds
    has_bracket: bool = False  # seeds determine the pairings, and a bracket determines the places
    final_rounds: int = 0  # the greatest number of rounds of the final; 0 if there is no bracket
    has_crosstable: bool = False  # pages show a crosstable at tables of two
    is_play_off: bool = False  # decides first place in the stage before; the final standings are those of that stage
    ended_early: str = ""  # why a stage may end although enough bots are left; may contain %(drawn)s and %(rounds)s

    @property
    def is_offered(self) -> bool:
        """Whether organisers can choose the format, because the libraries that it needs are installed."""
        return True

    @abstractmethod
    def plan(self, terms: StageTerms, entries: int) -> Plan | None:
        """Return the plan for ``entries`` bots; None if they are too few to fill a table.

        The plan holds if no bot leaves or comes later.
        """

    @abstractmethod
    def position(self, terms: StageTerms, known: StageFacts) -> DrawPosition:
        """Return the position from which the next rounds are drawn."""

    def reasons(self, data: Mapping[str, Any]) -> Reasons | None:
        """Read the stored reasons of a table; None if the format has none."""
        return None

    def facts(self, terms: StageTerms) -> Mapping[str, Any]:
        """Return additional values for the templates of the format."""
        return {}

    def texts(self) -> Iterator[str]:
        """Yield all texts of the format that pages show."""
        yield from (one for one in (self.label, self.summary, self.wrong_tables, self.ended_early) if one)

    def smallest_field(self, terms: StageTerms) -> int:
        """Return the smallest number of entries that can play."""
        return terms.smallest_table if self.fills_up else terms.players_per_table

    def drawn_most(self, terms: StageTerms) -> int | None:
        """Return the greatest number of entries that can be drawn on these terms; None if there is no limit."""
        return None

    def matches_each(self, terms: StageTerms, rounds: int, tables: int, entrants: int, byes: int) -> int | None:
        """Return how many matches an entrant with ``byes`` byes plays in the stage; None if it depends on the results.

        ``rounds`` is the number of announced rounds. Once the stage is over, it is the number of drawn rounds.
        ``tables`` is the number of tables that were drawn so far. ``entrants`` is the number of all entrants.
        """
        return tables * terms.players_per_table // entrants

    def has_final(self, tables: Sequence[Mapping[str, Any]]) -> bool:
        """Return whether one of the tables of a round is the final. ``tables`` has the stored reasons of each."""
        return False

    def going_on(self, terms: StageTerms, rows: Sequence[Row], there: Collection[int]) -> list[int]:
        """Return the entries that go on to the stage, the best first.

        ``rows`` are the standings of the stage before. Only entries in ``there`` can go on.
        """
        return [row.entrant for row in rows if row.entrant in there][: terms.entrants or None]

    def seeded(self, terms: StageTerms, order: Sequence[int], groups: Collection[Collection[int]]) -> list[int]:
        """Return the entries in the order of their seeds. ``order`` has the best entry first.

        In a bracket, the members of a group are seeded apart from each other. No entry is in two of the ``groups``.
        """
        return list(order)

    def problems(self, terms: StageTerms) -> Iterator[str]:
        """Yield a message for each term that this format cannot play.

        The messages are English, because they are for callers of the services, not for users.
        """
        if terms.players_per_table not in self.tables:
            yield f"{self.code} is not played at tables of {terms.players_per_table}"
        if self.takes_rounds and not terms.rounds:
            yield f"{self.code} needs a number of rounds"
        if terms.third_place and not self.takes_third_place:
            yield f"{self.code} has no match for the third place"

    def bracket(
        self,
        terms: StageTerms,
        seeds: Sequence[int],
        shares: Mapping[BracketSlot, Sequence[HeatShare]],
        undecided: Collection[BracketSlot],
        passed: Mapping[int, Collection[int]],
        gone: Sequence[int],
    ) -> Bracket | Heats:
        """Return the bracket of a format that has one.

        ``shares`` has the results of all matches that were drawn so far. ``undecided`` are the drawn matches that are
        not played yet. ``passed`` has the entries that went on without a match, by round. ``gone`` are the entries that
        left, in the order in which they left.

        Raises:
            EntrantsError: too few entries have a seed.
            NotImplementedError: the format has no bracket.
        """
        raise NotImplementedError(f"{self.code} has no bracket")
