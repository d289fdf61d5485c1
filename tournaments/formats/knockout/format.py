"""The knockout formats: single and double elimination at tables of two, and heats at larger tables."""

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tournaments.formats.draw_position import (
    Drawn,
    DrawnRound,
    DrawnTable,
    DrawPosition,
    PlayableMatch,
    StageFacts,
    StageTerms,
)
from tournaments.formats.format import TABLES, Format, Plan, Reasons
from tournaments.formats.knockout.bracket import Bracket, BracketMatch, HeatShare, bracket_decision_of, bracket_of
from tournaments.formats.knockout.heats import Heat, Heats, heat_advancing, heats_of
from tournaments.formats.knockout.plan import (
    BracketSlot,
    EliminationType,
    Part,
    Place,
    knockout_plan_bracket_places,
    knockout_plan_heat_places,
    knockout_plan_seeds_apart,
)
from tournaments.formats.seating import seating_table_sizes


@dataclass(frozen=True, slots=True)
class Knockout(DrawPosition):
    """The position before the next round of a knockout. Seeds and results determine the round, so it needs no luck."""

    bouts: Sequence[PlayableMatch]

    def draw(self) -> Drawn:
        return [DrawnRound([DrawnTable(bout.seating, bout.write()) for bout in self.bouts])] if self.bouts else ()


class InABracket(Format):
    """A format with a bracket, which determines the places."""

    def position(self, terms: StageTerms, known: StageFacts) -> DrawPosition:
        return Knockout(known.bracket().next_round)

    def seeded(self, terms: StageTerms, order: Sequence[int], groups: Collection[Collection[int]]) -> list[int]:
        return knockout_plan_seeds_apart(order, groups, self.places(terms, len(order))) if groups else list(order)

    @abstractmethod
    def places(self, terms: StageTerms, entrants: int) -> Sequence[Place]:
        """Return the place of each seed in the bracket. The best seed comes first."""

    def matches_each(self, terms: StageTerms, rounds: int, tables: int, entrants: int, byes: int) -> int | None:
        return None


@dataclass(frozen=True, kw_only=True)
class EliminationFormat(InABracket):
    """A single or double elimination, at tables of two."""

    kind: EliminationType

    def plan(self, terms: StageTerms, entries: int) -> Plan | None:
        """Return the greatest possible plan, which includes the second grand final."""
        if entries < self.smallest_field(terms):
            return None
        rounds = (entries - 1).bit_length()
        if self.kind is EliminationType.DOUBLE:
            rounds, matches = 2 * rounds + 1, 2 * entries - 1
        else:
            matches = entries - 1 + (terms.third_place and entries > 3)
        return Plan(rounds, matches, matches * terms.blocks * terms.players_per_table)

    def places(self, terms: StageTerms, entrants: int) -> Sequence[Place]:
        return knockout_plan_bracket_places(entrants)

    def reasons(self, data: Mapping[str, Any]) -> Reasons | None:
        return BracketMatch.read(data)

    def has_final(self, tables: Sequence[Mapping[str, Any]]) -> bool:
        last = Part.FINAL if self.kind is EliminationType.DOUBLE else Part.WINNERS
        return any(table["place"]["part"] == last and table["place"]["of"] == 1 for table in tables)

    def facts(self, terms: StageTerms) -> Mapping[str, Any]:
        return {"double": self.kind is EliminationType.DOUBLE}

    def bracket(
        self,
        terms: StageTerms,
        seeds: Sequence[int],
        shares: Mapping[BracketSlot, Sequence[HeatShare]],
        undecided: Collection[BracketSlot],
        passed: Mapping[int, Collection[int]],
        gone: Sequence[int],
    ) -> Bracket | Heats:
        results = {
            at: None if at in undecided else bracket_decision_of(one, other) for at, (one, other) in shares.items()
        }
        return bracket_of(self.kind, seeds, results, gone, terms.third_place)


class HeatsFormat(InABracket):
    """A knockout at larger tables, where the best of each table go on."""

    def plan(self, terms: StageTerms, entries: int) -> Plan | None:
        if entries < self.smallest_field(terms):
            return None
        rounds, matches, seats, field = 0, 0, 0, entries
        while sizes := seating_table_sizes(field, terms.players_per_table, terms.smallest_table):
            rounds, matches, seats = rounds + 1, matches + len(sizes.tables), seats + sum(sizes.tables)
            if field <= terms.players_per_table:
                break
            field = len(sizes.tables) * heat_advancing(terms.smallest_table) + sizes.byes
        return Plan(rounds, matches, seats * terms.blocks)

    def places(self, terms: StageTerms, entrants: int) -> Sequence[Place]:
        return knockout_plan_heat_places(entrants, terms.players_per_table, terms.smallest_table)

    def reasons(self, data: Mapping[str, Any]) -> Reasons | None:
        return Heat.read(data)

    def has_final(self, tables: Sequence[Mapping[str, Any]]) -> bool:
        return len(tables) == 1 and not tables[0]["passing"]

    def facts(self, terms: StageTerms) -> Mapping[str, Any]:
        return {"going_on": heat_advancing(terms.smallest_table)}

    def bracket(
        self,
        terms: StageTerms,
        seeds: Sequence[int],
        shares: Mapping[BracketSlot, Sequence[HeatShare]],
        undecided: Collection[BracketSlot],
        passed: Mapping[int, Collection[int]],
        gone: Sequence[int],
    ) -> Bracket | Heats:
        return heats_of(seeds, terms.players_per_table, terms.smallest_table, shares, undecided, passed, gone)


FOR_TWO: Final = "%(format)s is played at tables of two: choose 2, or another format."

SINGLE_ELIMINATION: Final = EliminationFormat(
    code="single_elimination",
    label="Single elimination",
    summary="Two at a table, and only winners go on.",
    family="knockout",
    kind=EliminationType.SINGLE,
    tables=(2,),
    wrong_tables=FOR_TWO,
    takes_third_place=True,
    is_final=True,
    draws_one_by_one=True,
    has_bracket=True,
    final_rounds=1,
)
DOUBLE_ELIMINATION: Final = EliminationFormat(
    code="double_elimination",
    label="Double elimination",
    summary="Two at a table, and it takes two defeats to be out.",
    family="knockout",
    kind=EliminationType.DOUBLE,
    tables=(2,),
    wrong_tables=FOR_TWO,
    is_final=True,
    draws_one_by_one=True,
    has_bracket=True,
    final_rounds=2,  # the second is not always played
)
HEATS: Final = HeatsFormat(
    code="heats",
    label="Knockout in heats",
    summary="At larger tables: the best of each go on until one table is left.",
    family="knockout",
    tables=TABLES[1:],
    wrong_tables="Heats are for three or more at a table: choose more players, or another knockout.",
    is_final=True,
    fills_up=True,
    draws_one_by_one=True,
    has_bracket=True,
    final_rounds=1,
)
