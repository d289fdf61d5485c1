"""Compute from the links: standings, brackets, seeds, the next position, and what a ruling changes in a knockout."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from matches.proof.chain import ProofError, chain_place_text
from tournaments.facts import (
    Replaced,
    TableFact,
    TableState,
    facts_bracket,
    facts_bracket_replaced,
    facts_contenders_at,
    facts_course_at,
    facts_entrants_gone,
    facts_first_seeds,
    facts_past_rounds,
    facts_results_counted,
    facts_rounds_played,
    facts_rows_by_bracket,
)
from tournaments.formats import RankedEntrant
from tournaments.formats.draw_position import DrawPosition, StageTerms
from tournaments.formats.knockout import Bracket, Heats
from tournaments.formats.registry import format_of
from tournaments.play_off import play_off_after
from tournaments.proof.state import ChainState, Place
from tournaments.standings import (
    Corrections,
    Row,
    ScoredBye,
    standings_play_off_places,
    standings_table,
    standings_tallied,
)
from tournaments.trf import RoundPlayed


def proof_computed_standings(state: ChainState, number: int, held: Corrections | None = None) -> tuple[Row, ...]:
    """Compute the standings as the site does."""
    held = state.held if held is None else held
    playing, tables = state.playing[number], state.of_stage(number)
    terms, entrants = playing.terms, state.entrants_of(number)
    course = None
    if playing.kind.draws_by_standings and terms.players_per_table == 2:
        begun = [at for at in state.rounds_of(number) if state.rounds[at].begun]
        course = facts_course_at(begun, tables, held, terms.rounds)
    rows = standings_table(
        entrants,
        facts_results_counted(tables, held, terms.players_per_table),
        state.terms["tie_breaks"],
        state.first_luck,
        _byes(state, number),
        frozenset(held.disqualified),
        course,
        _play_off(state, number, held),
    )
    return (
        facts_rows_by_bracket(rows, proof_computed_bracket(state, number, held).placings, held)
        if playing.kind.has_bracket
        else rows
    )


def _play_off(state: ChainState, number: int, held: Corrections) -> Mapping[int, int]:
    """Return the places in the play-off after the stage; empty if there is no play-off."""
    after = state.playing.get(number + 1)
    if after is None or not after.kind.is_play_off:
        return {}
    return standings_play_off_places(proof_computed_standings(state, number + 1, held), state.terms["tie_breaks"])


def proof_computed_bracket(
    state: ChainState, number: int, held: Corrections | None = None, tables: Sequence[TableFact] | None = None
) -> Bracket | Heats:
    """Return the bracket or the heats of stage ``number``. ``tables`` replaces its current tables."""
    held = state.held if held is None else held
    playing = state.playing[number]
    terms = playing.terms
    out = set(playing.seeds) - state.taking_part - held.back
    times = {entry: float(state.entries[entry].out or 0) for entry in out}
    left = facts_entrants_gone(playing.seeds, times, playing.finished, held)
    tables = state.of_stage(number) if tables is None else tables
    return facts_bracket(playing.kind, terms, playing.seeds, tables, left, held)


@dataclass(frozen=True)
class StageOfChain:
    """The facts of a stage from the chain: see ``formats.draw_position.StageFacts``."""

    state: ChainState
    number: int

    @property
    def present(self) -> Sequence[int]:
        return self.state.present(self.number)

    @property
    def drawn(self) -> int:
        return self.state.playing[self.number].drawn

    @property
    def next_round(self) -> int:
        return max(self.state.rounds, default=0) + 1

    @property
    def luck(self) -> bytes:
        return self.state.luck

    @property
    def first_luck(self) -> bytes:
        return self.state.first_luck

    @property
    def apart(self) -> Sequence[frozenset[int]]:
        return self.state.apart

    @property
    def kin(self) -> Sequence[frozenset[int]]:
        return self.state.kin

    def seeding(self) -> Sequence[int]:
        seeds = self.state.playing[self.number].seeds
        return seeds or facts_first_seeds(self.state.first_luck, self.state.entries, self.state.places)

    def contenders(self) -> Sequence[RankedEntrant]:
        state, number = self.state, self.number
        terms, tables = state.playing[number].terms, state.of_stage(number)
        played = facts_results_counted(tables, state.held, terms.players_per_table)
        tallies = standings_tallied(state.entrants_of(number), played, _byes(state, number))
        points = {entry: tally.points for entry, tally in tallies.items()}
        rounds = facts_past_rounds(state.rounds_of(number), tables, state.byes_of(number))
        return facts_contenders_at(points, rounds, set(self.present), terms.players_per_table)

    def rounds_played(self) -> Sequence[RoundPlayed]:
        state, number = self.state, self.number
        return facts_rounds_played(state.rounds_of(number), state.of_stage(number), state.byes_of(number), state.held)

    def bracket(self) -> Bracket | Heats:
        return proof_computed_bracket(self.state, self.number)


def proof_computed_position(state: ChainState, number: int) -> DrawPosition:
    """Return the position from which the next rounds of the stage are drawn."""
    playing = state.playing[number]
    return playing.kind.position(playing.terms, StageOfChain(state, number))


def proof_computed_terms(state: ChainState, number: int) -> StageTerms | None:
    """Return the terms of stage ``number``; None if there is no such stage.

    The stage may be an announced one, or a play-off that follows the stage before.
    """
    last = state.playing.get(number - 1)
    if number in state.stages or last is None:
        return state.stages.get(number)
    terms = {name: state.terms[name] for name in ("tie_breaks", "ruleset", "options")}
    return play_off_after(last.terms, announced=len(state.terms["stages"]), **terms)


def proof_computed_seeds(state: ChainState, terms: StageTerms) -> list[int]:
    """Return the seeds with which a stage begins, computed from the links before."""
    if terms.number == 1:
        order = facts_first_seeds(state.first_luck, state.present(1), state.places)
        return format_of(terms).seeded(terms, order, state.authors) if format_of(terms).has_bracket else []
    before = terms.number - 1
    return proof_computed_advancing(state, terms, proof_computed_standings(state, before), state.present(before))


def proof_computed_advancing(
    state: ChainState, terms: StageTerms, rows: Sequence[Row], there: Collection[int]
) -> list[int]:
    """Return the entries that go on to a stage, the best seed first.

    ``rows`` are the standings of the stage before. Only entries in ``there`` can go on. If the terms say so, bots of
    one author are seeded apart.
    """
    kind = format_of(terms)
    return kind.seeded(terms, kind.going_on(terms, rows, there), state.authors)


def _byes(state: ChainState, number: int) -> Sequence[ScoredBye]:
    """Return the byes that count. Byes of a waiting round do not count while the round has matches to play."""
    held = {table.round for table in state.tables.values() if table.state is TableState.OPEN}
    return [
        ScoredBye(bye.entrant, bye.points, bye.round)
        for bye in state.byes_of(number)
        if state.rounds[bye.round].begun or bye.round not in held
    ]


def proof_computed_replaced(
    state: ChainState, left: frozenset[int], rewound: Sequence[int], released: Collection[Place]
) -> dict[int, Replaced]:
    """Return the tables that change in each knockout, by stage. Stages in ``rewound``, which restart, are left out.

    ``left`` are the entries that leave now. ``released`` are the cancelled matches that are played after all.
    """
    knockouts = [stage for stage, playing in state.playing.items() if playing.kind.has_bracket and stage not in rewound]
    return {stage: _replaced(state, stage, left, released) for stage in knockouts}


def proof_computed_waiting_check(
    state: ChainState, undone: Sequence[Place], drawn: Sequence[Place], replaced: Mapping[int, Replaced], label: str
) -> None:
    """Check the changes of waiting rounds in knockouts: the round must lose and regain exactly the right matches.

    Unlike a round that is drawn by standings, a waiting round of a knockout is not drawn again. Its other matches stay,
    even if one of their players has left without a ruling.
    """
    for stage, changes in replaced.items():
        for claimed, right in ((undone, changes.lost), (drawn, changes.back)):
            tables = [table for table in map(state.table_at, claimed) if table is not None]
            there = {_place(one) for one in tables if state.stage_of[one.match] == stage and _waits(state, one)}
            expected = {_place(one) for one in right if _waits(state, one)}
            for where in sorted(there ^ expected):
                raise ProofError(
                    f"{label} changes a waiting round at {chain_place_text(where)} which does not follow from it"
                )


def _waits(state: ChainState, table: TableFact) -> bool:
    return not state.round_of[table.match].begun


def _replaced(state: ChainState, stage: int, left: frozenset[int], released: Collection[Place]) -> Replaced:
    """Return the matches of a knockout that are superseded, and the matches that are restored.

    The site computes them in the same way: see ``facts.facts_bracket_replaced``.
    """
    playing = state.playing[stage]
    active = [_to_play(one) if _place(one) in released else one for one in state.of_stage(stage)]
    gone = [table for table in state.lost.values() if state.round_of[table.match].playing is playing]
    leaving = [one.match for one in active if not state.rounds[one.round].begun and left & set(one.seating)]

    def bracket_with(undone: frozenset[int], restored: frozenset[int]) -> Any:
        tables = [*active, *(_to_play(table) for table in gone if table.match in restored)]
        return proof_computed_bracket(state, stage, replace(state.held, undone=undone), tables)

    return facts_bracket_replaced(active, gone, state.held, bracket_with, leaving)


def _to_play(table: TableFact) -> TableFact:
    """Return the match as it is when it becomes current again: a cancelled match is to be played."""
    return replace(table, state=TableState.OPEN) if table.state is TableState.CANCELLED else table


def _place(table: TableFact) -> Place:
    return table.round, table.table, table.attempt
