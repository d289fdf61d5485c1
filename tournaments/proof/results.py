"""A result: at a table that was drawn, once, with what its match comes to when it is played again."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from games.dealer import block_seed
from matches.proof.played import RESULT, MatchClaim, match_judged
from matches.proof.reading import Fields, ProofError, at, read
from tournaments.facts import SeatFact, TableState
from tournaments.proof.state import ChainState, Place

PLACE: Final[Fields] = {"round": int, "table": int, "attempt": int}


def result(state: ChainState, number: int, content: object, records: Iterator[bytes]) -> None:
    """Check the result of a match that was drawn; ``records`` gives those of its games."""
    found = read(content, {**PLACE, **RESULT}, "a result")
    where: Place = (found["round"], found["table"], found["attempt"])
    table = state.table_at(where)
    if table is None:
        raise ProofError(f"{at(where)}: a foreign result, nothing was drawn there")
    if table.state is TableState.FINISHED:
        raise ProofError(f"{at(where)}: its result is told twice")
    if table.state is TableState.CANCELLED:
        raise ProofError(f"{at(where)}: it has a result though it was called off")
    # A match that had lost its place may end later, its round gone.
    played = state.rounds.get(table.round)
    if where not in state.lost and (played is None or not played.begun):
        raise ProofError(f"{at(where)}: played before its round had begun")
    terms = state.stages[state.stage_of[table.match]]
    key = ("match", *where[:2]) if where[2] == 1 else ("match", *where)
    match = MatchClaim(
        label=at(where),
        seating=table.seating,
        ruleset=state.terms["ruleset"],
        options=state.terms["options"],
        blocks=terms.blocks,
        stopping=terms.stopping,
        secret=block_seed(state.luck_numbered(state.luck_of[table.match]), *key),
        may_bar=[seat for seat, one in enumerate(table.seating) if table.match in state.shut_out.get(one, ())],
        watch=state.watch(at(where), table.seating),
    )
    judged = match_judged(match, {name: found[name] for name in RESULT}, records)
    seats = tuple(
        SeatFact(entry, one.score, one.points, one.wins, one.faulty_games, forfeited, one.places)
        for entry, one, forfeited in zip(table.seating, judged.totals, judged.forfeited, strict=True)
    )
    state.table_set(replace(table, state=TableState.FINISHED, seats=seats, blocks=judged.blocks))
    if judged.own_faults:
        state.at_fault[table.match] = judged.own_faults
    state.matches += 1
    state.games += judged.games
