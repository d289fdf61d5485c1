"""What a tournament format is: everything about it that the rest of the house asks, said once."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from tournaments.formats.knockout.bracket import Bracket, HeatShare
from tournaments.formats.knockout.heats import Heats
from tournaments.formats.knockout.plan import BracketSlot
from tournaments.formats.position import DrawPosition, StageFacts, StageTerms
from tournaments.standings import Row

TABLES = range(2, 8)  # players at a table, as games have them
EVERYONE_MEETS = ("wins", "direct_encounter", "sonneborn_berger", "margin")
SOME_MEET = ("buchholz_cut_1", "buchholz", "direct_encounter", "wins", "margin")


@dataclass(frozen=True, slots=True)
class Plan:
    """What a number of entries will play. ``games`` counts every game of every match; ``least`` and ``most``: how often
    two bots meet, where that is known before."""

    rounds: int
    matches: int
    games: int
    least: int | None = None
    most: int | None = None
    byes: int = 0  # a round
    seats: int = 2  # of the largest table


class Reasons(Protocol):
    """Why bots were put together, as a format keeps it with a table."""

    def write(self) -> dict[str, Any]:
        """Return it as JSON."""

    def of_seat(self, entrant: int) -> dict[str, Any]:
        """Return the cells of ``fixtures.csv`` for a seat, by column; see ``selectors.exports``."""


@dataclass(frozen=True, kw_only=True)
class Format(ABC):
    """A tournament format. A subclass draws; a value says the rest. Texts are English, translated where they are shown.

    ``family``: the folder of its templates, ``formats/<family>/``: ``facts.html`` is what the announcement says of a
    stage, ``round.html`` why the tables of a round are as they are (for a format that draws one by one).
    """

    code: str  # kept in the database, told in proofs and by the API: never changed
    label: str
    summary: str  # one sentence for the organiser who chooses
    family: str
    tables: Collection[int] = TABLES  # players per table that it allows
    wrong_tables: str = ""  # what is said to an organiser who chose others; may name the %(format)s
    tie_breaks: tuple[str, ...] = EVERYONE_MEETS  # codes, unless the organiser chooses
    entrants_most: int | None = None  # None: as many as tournaments take
    takes_rounds: bool = False  # the organiser says how many
    takes_third_place: bool = False  # the organiser may have a match for it
    is_final: bool = False  # may follow another stage, for the best of it
    fills_up: bool = False  # tables may be smaller where the entries do not divide
    draws_one_by_one: bool = False  # each round when the last is finished, so that bots may leave between them
    draws_by_standings: bool = False  # and from the points, so that bots may also come
    has_bracket: bool = False  # who goes on gives the places; seeds say who meets
    final_rounds: int = 0  # of a bracket: how many there may be
    has_crosstable: bool = False  # at tables of two
    is_play_off: bool = False  # for first place in the stage before it, whose standings stay those of the tournament
    ended_early: str = ""  # why it may end before its %(rounds)s rounds, after %(drawn)s, with bots enough left

    @property
    def is_offered(self) -> bool:
        """What it needs is installed here."""
        return True

    @abstractmethod
    def plan(self, terms: StageTerms, entries: int) -> Plan | None:
        """Return what ``entries`` bots will play, if none leaves or comes; None while they do not fill a table."""

    @abstractmethod
    def position(self, terms: StageTerms, known: StageFacts) -> DrawPosition:
        """Return what the next rounds follow from."""

    def reasons(self, data: Mapping[str, Any]) -> Reasons | None:
        """Return why the bots of a table were put together, from what was kept with it; None: nothing to tell."""
        return None

    def facts(self, terms: StageTerms) -> Mapping[str, Any]:
        """Return what the templates of the format show beside the terms."""
        return {}

    def texts(self) -> Iterator[str]:
        """Yield every text of it that pages show."""
        yield from (one for one in (self.label, self.summary, self.wrong_tables, self.ended_early) if one)

    def smallest_field(self, terms: StageTerms) -> int:
        """Return the fewest entries that can play."""
        return terms.smallest_table if self.fills_up else terms.players_per_table

    def drawn_most(self, terms: StageTerms) -> int | None:
        """Return for how many entries it can be drawn on these terms; None: for any number."""
        return None

    def matches_each(self, terms: StageTerms, rounds: int, tables: int, entrants: int, byes: int) -> int | None:
        """Return how many matches an entrant with ``byes`` byes plays in all; None: that depends on who goes on.

        ``rounds``: announced, or there were; ``tables``: drawn so far, for all ``entrants``.
        """
        return tables * terms.players_per_table // entrants

    def has_final(self, tables: Sequence[Mapping[str, Any]]) -> bool:
        """Tell whether the final is among these tables of a round, as ``reasons`` wrote them."""
        return False

    def going_on(self, terms: StageTerms, rows: Sequence[Row], there: Collection[int]) -> list[int]:
        """Return who goes on to the stage of those who are ``there``, the best first; ``rows``: the standings of the
        stage before."""
        return [row.entrant for row in rows if row.entrant in there][: terms.entrants or None]

    def seeded(self, terms: StageTerms, order: Sequence[int], groups: Collection[Collection[int]]) -> list[int]:
        """Return the seeds of those who come in this ``order``, the best first, with those of a group, who share
        nobody, apart from each other where seeds say who meets."""
        return list(order)

    def problems(self, terms: StageTerms) -> Iterator[str]:
        """Yield the terms that this format cannot play, in English for callers of the services."""
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
        """Return the bracket, of a format that has one. ``shares``: of every match drawn so far; ``undecided``: which
        of them are to be played; ``passed``: by round, who went on without a match; ``gone``: who left, in order.

        Raises:
            EntrantsError: too few have a seed.
        """
        raise NotImplementedError(f"{self.code} has no bracket")


def by_code(formats: Iterable[Format]) -> dict[str, Format]:
    """Return the formats by their codes.

    Raises:
        ValueError: two have the same code.
    """
    found: dict[str, Format] = {}
    for one in formats:
        if one.code in found:
            raise ValueError(f"two formats have the code {one.code!r}")
        found[one.code] = one
    return found
