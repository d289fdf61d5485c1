"""A result: at a table that was drawn, once, with what its match comes to when it is played again."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from games.dealer import block_seed
from matches.proof.played import RESULT, MatchClaim, match_judged
from matches.proof.reading import Fields, ProofError, at, read
from tournaments.facts import SeatFact, TableState
from tournaments.proof.state import Fold, Place

PLACE: Final[Fields] = {"round": int, "table": int, "attempt": int}


def result(fold: Fold, number: int, content: object, records: Iterator[bytes]) -> None:
    """Check the result of a match that was drawn; ``records`` gives those of its games."""
    found = read(content, {**PLACE, **RESULT}, "a result")
    where: Place = (found["round"], found["table"], found["attempt"])
    table = fold.table_at(where)
    if table is None:
        raise ProofError(f"{at(where)}: a foreign result, nothing was drawn there")
    if table.state is TableState.FINISHED:
        raise ProofError(f"{at(where)}: its result is told twice")
    if table.state is TableState.CANCELLED:
        raise ProofError(f"{at(where)}: it has a result though it was called off")
    # A match that had lost its place may end later, its round gone.
    played = fold.rounds.get(table.round)
    if where not in fold.lost and (played is None or not played.begun):
        raise ProofError(f"{at(where)}: played before its round had begun")
    terms = fold.stages[fold.stage_of[table.match]]
    key = ("match", *where[:2]) if where[2] == 1 else ("match", *where)
    match = MatchClaim(
        said=at(where),
        seating=table.seating,
        ruleset=fold.terms["ruleset"],
        options=fold.terms["options"],
        blocks=terms.blocks,
        stopping=terms.stopping,
        secret=block_seed(fold.luck_numbered(fold.luck_of[table.match]), *key),
        may_bar=[seat for seat, one in enumerate(table.seating) if table.match in fold.shut_out.get(one, ())],
        watch=fold.watch(at(where), table.seating),
    )
    judged = match_judged(match, {name: found[name] for name in RESULT}, records)
    seats = tuple(
        SeatFact(entry, one.score, one.points, one.wins, one.faulty_games, forfeited, one.places)
        for entry, one, forfeited in zip(table.seating, judged.totals, judged.forfeited, strict=True)
    )
    fold.table_set(replace(table, state=TableState.FINISHED, seats=seats, blocks=judged.blocks))
    if judged.own_faults:
        fold.at_fault[table.match] = judged.own_faults
    fold.matches += 1
    fold.games += judged.games
