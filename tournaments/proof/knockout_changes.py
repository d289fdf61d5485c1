"""Compute what a ruling changes of a knockout, as on the site, and check a claim about its waiting rounds."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from matches.proof.chain import ProofError, chain_place_text
from tournaments.facts import Replaced, TableFact, TableState, facts_bracket_replaced
from tournaments.proof.computed import proof_bracket_of
from tournaments.proof.state import ChainState, Place


def proof_knockouts_replaced(
    state: ChainState, left: frozenset[int], rewound: Sequence[int], released: Collection[Place]
) -> dict[int, Replaced]:
    """Return what changes of each knockout, by stage. Stages that restart are left out.

    ``left`` are the entries that leave now, ``released`` the cancelled matches that are played after all.
    """
    knockouts = [stage for stage, playing in state.playing.items() if playing.kind.has_bracket and stage not in rewound]
    return {stage: _replaced(state, stage, left, released) for stage in knockouts}


def proof_waiting_check(
    state: ChainState, undone: Sequence[Place], drawn: Sequence[Place], replaced: Mapping[int, Replaced], label: str
) -> None:
    """Check that the waiting rounds of knockouts lose and regain exactly the matches that follow from the ruling.

    Unlike a round that is drawn by standings, such a round is not drawn again: its other matches stay, even if a
    player of one has left without a ruling.
    """
    for stage, changes in replaced.items():
        for claimed, right in ((undone, changes.lost), (drawn, changes.back)):
            tables = [table for table in map(state.table_at, claimed) if table is not None]
            there = {_place(one) for one in tables if state.stage_of[one.match] == stage and _waits(state, one)}
            expected = {_place(one) for one in right if _waits(state, one)}
            for where in sorted(there ^ expected):
                raise ProofError(f"{label} changes a waiting round at {chain_place_text(where)} as does not follow")


def _waits(state: ChainState, table: TableFact) -> bool:
    return not state.round_of[table.match].begun


def _replaced(state: ChainState, stage: int, left: frozenset[int], released: Collection[Place]) -> Replaced:
    """Return the matches of a knockout that are superseded and those that are restored, computed as on the site: see
    ``facts.facts_bracket_replaced``."""
    playing = state.playing[stage]
    active = [_to_play(one) if _place(one) in released else one for one in state.of_stage(stage)]
    gone = [table for table in state.lost.values() if state.round_of[table.match].playing is playing]
    leaving = [one.match for one in active if not state.rounds[one.round].begun and left & set(one.seating)]

    def bracket_with(undone: frozenset[int], restored: frozenset[int]) -> Any:
        tables = [*active, *(_to_play(table) for table in gone if table.match in restored)]
        return proof_bracket_of(state, stage, replace(state.held, undone=undone), tables)

    return facts_bracket_replaced(active, gone, state.held, bracket_with, leaving)


def _to_play(table: TableFact) -> TableFact:
    """Return the state of a match that is current again: a cancelled match is to be played."""
    return replace(table, state=TableState.OPEN) if table.state is TableState.CANCELLED else table


def _place(table: TableFact) -> Place:
    return table.round, table.table, table.attempt
