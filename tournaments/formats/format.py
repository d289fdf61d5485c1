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

TABLES = range(2, 8)  # players at a table, as games have them
EVERYONE_MEETS = ("wins", "direct_encounter", "sonneborn_berger", "margin")
SOME_MEET = ("buchholz_cut_1", "buchholz", "direct_encounter", "wins", "margin")


@dataclass(frozen=True, slots=True)
class Plan:
    """The numbers of rounds, matches and games that a number of entries will play.

    ``games`` counts all games of all matches. ``least`` and ``most`` are how often two bots meet, if that is known in
    advance.
    """

    rounds: int
    matches: int
    games: int
    least: int | None = None
    most: int | None = None
    byes: int = 0  # in each round
    seats: int = 2  # at the largest table


class Reasons(Protocol):
    """The reasons for which bots meet at a table, as the format stores them."""

    def write(self) -> dict[str, Any]:
        """Return the reasons as a value for JSON."""

    def of_seat(self, entrant: int) -> dict[str, Any]:
        """Return the cells of a seat in ``fixtures.csv``, by column: see ``selectors.pages.exports``."""


@dataclass(frozen=True, kw_only=True)
class Format(ABC):
    """A tournament format. Subclasses draw; instances have the settings. Texts are English, and translated when shown.

    ``family`` is the folder of its templates, ``formats/<family>/``: ``facts.html`` describes a stage in the
    announcement, and ``round.html`` explains the tables of a round (if rounds are drawn one by one).
    """

    code: str  # never change it: it is in the database, in proofs and in the API
    label: str
    summary: str  # one sentence for the organiser who chooses
    family: str
    tables: Collection[int] = TABLES  # players per table that it allows
    wrong_tables: str = ""  # the message for other numbers of players; may contain %(format)s
    tie_breaks: tuple[str, ...] = EVERYONE_MEETS  # codes, unless the organiser chooses
    entrants_most: int | None = None  # None: only limited by the tournament
    takes_rounds: bool = False  # the organiser chooses the number of rounds
    takes_third_place: bool = False  # the organiser may choose a match for the third place
    is_final: bool = False  # it may follow another stage, whose best bots play in it
    fills_up: bool = False  # tables may be smaller if the number of entries is not a multiple of the seats
    draws_one_by_one: bool = (
        False  # each round is drawn when the last is finished, so that bots may leave between rounds
    )
    draws_by_standings: bool = False  # each round is drawn from the points, so that bots may also enter between rounds
    has_bracket: bool = False  # seeds determine the pairings, and the bracket determines the places
    final_rounds: int = 0  # in a bracket: the greatest number of rounds of its final
    has_crosstable: bool = False  # a crosstable is shown, at tables of two
    is_play_off: bool = False  # decides first place in the stage before, whose standings remain the final ones
    ended_early: str = ""  # why it can end early although enough bots are left; may contain %(drawn)s and %(rounds)s

    @property
    def is_offered(self) -> bool:
        """Whether organisers can choose it: the libraries that it needs are installed."""
        return True

    @abstractmethod
    def plan(self, terms: StageTerms, entries: int) -> Plan | None:
        """Return the plan for ``entries`` bots, if none leaves or comes; None if they are too few to fill a table."""

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
        """Return the fewest entries that can play."""
        return terms.smallest_table if self.fills_up else terms.players_per_table

    def drawn_most(self, terms: StageTerms) -> int | None:
        """Return the greatest number of entries that can be drawn on these terms; None if there is no limit."""
        return None

    def matches_each(self, terms: StageTerms, rounds: int, tables: int, entrants: int, byes: int) -> int | None:
        """Return how many matches an entrant with ``byes`` byes plays in all; None if it depends on the results.

        ``rounds`` is the number of announced rounds, or of drawn rounds once the stage is over. ``tables`` is the
        number of tables drawn so far, for all ``entrants``.
        """
        return tables * terms.players_per_table // entrants

    def has_final(self, tables: Sequence[Mapping[str, Any]]) -> bool:
        """Return whether one of these tables of a round is the final. ``tables`` are their stored reasons."""
        return False

    def going_on(self, terms: StageTerms, rows: Sequence[Row], there: Collection[int]) -> list[int]:
        """Return the entries that go on to the stage, the best first. Only entries in ``there`` can go on. ``rows`` are
        the standings of the stage before."""
        return [row.entrant for row in rows if row.entrant in there][: terms.entrants or None]

    def seeded(self, terms: StageTerms, order: Sequence[int], groups: Collection[Collection[int]]) -> list[int]:
        """Return the entries in the order of their seeds. ``order`` has the best first.

        In a bracket, the entries of each of the disjoint ``groups`` are seeded apart from each other.
        """
        return list(order)

    def problems(self, terms: StageTerms) -> Iterator[str]:
        """Yield a message, in English for callers of the services, for each term that this format cannot play."""
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

        ``shares`` has all matches drawn so far, and ``undecided`` those of them that are not played yet. ``passed`` has
        the entries that went on without a match, by round. ``gone`` are the entries that left, in this order.

        Raises:
            EntrantsError: too few entries have a seed.
            NotImplementedError: the format has no bracket.
        """
        raise NotImplementedError(f"{self.code} has no bracket")
