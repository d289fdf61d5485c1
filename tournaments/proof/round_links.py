"""Links about stages and rounds. Each round is drawn again from all links before it, and compared with its link."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from matches.proof.chain import (
    OPTIONAL,
    Fields,
    ProofError,
    chain_canonical_json,
    chain_fields_read,
    chain_numbers_read,
    chain_place_text,
)
from tournaments.facts import ByeGiven, SeatFact, TableFact, TableState
from tournaments.formats.draw_position import DrawnRound
from tournaments.formats.registry import format_of
from tournaments.proof.computed import (
    proof_computed_position,
    proof_computed_seeds,
    proof_computed_standings,
    proof_computed_terms,
)
from tournaments.proof.state import ChainRound, ChainState, Playing
from tournaments.standings import Row

ROUND: Final = {"round": int, "stage": int, "luck": int, "waits": bool, "tables": list, "byes": list}
TABLE: Final[Fields] = {"table": int, "attempt": int, "seats": list, "reasons": (dict, OPTIONAL)}
BYE: Final = {"entry": int, "points": int, "reasons": dict}


def _stage_link(state: ChainState, number: int, content: object) -> None:
    found = chain_fields_read(content, {"stage": int, "seeds": list}, "a stage")
    at_ = found["stage"]
    terms = proof_computed_terms(state, at_)
    if not state.frozen or terms is None or at_ in state.playing or (at_ > 1 and at_ - 1 not in state.playing):
        raise ProofError(f"stage {at_} begins out of order, or was not announced")
    if at_ > 1 and state.playing[at_ - 1].finished is None:
        raise ProofError(f"stage {at_} begins before the one before it has ended")
    if at_ == 1:
        state.begun_with = len(state.lucks)
    seeds = proof_computed_seeds(state, terms)
    if chain_numbers_read(found["seeds"], f"the seeds of stage {at_}") != seeds:
        raise ProofError(f"stage {at_} begins with seeds that do not follow from the results")
    state.stages[at_] = terms
    state.playing[at_] = Playing(terms, tuple(seeds))


def _round_link(state: ChainState, number: int, content: object) -> None:
    found = chain_fields_read(content, ROUND, "a round")
    at_, playing = found["round"], state.stage
    if at_ != max(state.rounds, default=0) + 1 or found["stage"] != playing.terms.number:
        raise ProofError(f"round {at_} is drawn out of order, or in a stage that is not being played")
    if found["luck"] != len(state.lucks):
        raise ProofError(f"round {at_} is not drawn from the current luck")
    if not state.pending:
        if (open_ := state.undecided()) is not None:
            where = chain_place_text((open_.round, open_.table, open_.attempt))
            raise ProofError(f"round {at_} is drawn although the result of {where} is missing")
        state.pending = list(_drawn(state, playing, found["tables"]))
        if not state.pending:
            raise ProofError(f"round {at_} is drawn although its stage is over")
    drawn = state.pending.pop(0)
    state.expected = "round" if state.pending else ""
    state.rounds[at_] = ChainRound(playing, begun=not found["waits"], since=number, luck=found["luck"])
    _compare(at_, found, _expected(state, at_, playing, drawn))
    playing.drawn += 1
    for one in found["tables"]:
        proof_table_drawn(state, (at_, one["table"], one["attempt"]), found["luck"], one["seats"], one["reasons"])
    state.rounds[at_].byes = [ByeGiven(at_, bye["entry"], bye["points"]) for bye in found["byes"]]
    if found["waits"]:
        state.arrange(at_)


def _round_begun_link(state: ChainState, number: int, content: object) -> None:
    found = chain_fields_read(content, {"round": int}, "a round's beginning")
    waiting = state.rounds.get(found["round"])
    if waiting is None or waiting.begun:
        raise ProofError(f"round {found['round']} begins twice, or was never drawn")
    waiting.begun, waiting.since = True, number


def _swap_link(state: ChainState, number: int, content: object) -> None:
    found = chain_fields_read(content, {"round": int, "one": int, "other": int}, "a swap")
    at_, one, other = found["round"], found["one"], found["other"]
    waiting = state.rounds.get(at_)
    if waiting is None or waiting.begun or state.playing[waiting.stage].kind.has_bracket:
        raise ProofError(f"round {at_}: two bots changed places although the round does not wait, or may not wait")
    tables = [table for table in state.tables.values() if table.round == at_]
    seated = [table for table in tables if one in table.seating or other in table.seating]
    idle = [bye for bye in waiting.byes if bye.entrant in (one, other)]
    there = sum((one in table.seating) + (other in table.seating) for table in seated)
    if one == other or there + len(idle) < 2 or len(idle) == 2:
        raise ProofError(f"round {at_}: two bots changed places that are not both in the round")
    newcomer = {one: other, other: one}
    for table in seated:
        seats = tuple(SeatFact(newcomer.get(entry, entry)) for entry in table.seating)
        state.table_set(replace(table, seats=seats, reasons=None))
        for seat in seats:
            if state.entries[seat.entrant].struck is not None or seat.entrant in state.held.disqualified:
                state.shut_out.setdefault(seat.entrant, set()).add(table.match)
    state.arrange(at_)
    waiting.byes = [replace(bye, entrant=newcomer.get(bye.entrant, bye.entrant)) for bye in waiting.byes]
    state.arrange(at_)


def _stage_end_link(state: ChainState, number: int, content: object) -> None:
    found = chain_fields_read(content, {"stage": int, "standings": list}, "a stage's end")
    playing = state.stage
    at_ = playing.terms.number
    if found["stage"] != at_ or playing.finished is not None:
        raise ProofError(f"stage {found['stage']} ends out of order")
    if (open_ := state.undecided()) is not None:
        where = chain_place_text((open_.round, open_.table, open_.attempt))
        raise ProofError(f"stage {at_} ends although the result of {where} is missing")
    if _drawn(state, playing, None):
        raise ProofError(f"stage {at_} ends although a round of it is missing")
    playing.finished = number
    _standings_rows_require(found["standings"], proof_computed_standings(state, at_), at_)
    following = proof_computed_terms(state, at_ + 1)
    goes_on = following is not None and len(proof_computed_seeds(state, following)) >= format_of(
        following
    ).smallest_field(following)
    state.expected = "stage" if goes_on else "end"
    state.ends_next = not goes_on


def _end_link(state: ChainState, number: int, content: object) -> None:
    chain_fields_read(content, {}, "the end")
    if state.ends_next is False:
        raise ProofError("the tournament ends in the middle of a stage")
    state.ends_next, state.over = False, "end"


def _cancelled_link(state: ChainState, number: int, content: object) -> None:
    chain_fields_read(content, {}, "the cancellation")
    state.over = "cancelled"


def _standings_link(state: ChainState, number: int, content: object) -> None:
    found = chain_fields_read(content, {"stages": list}, "the standings")
    if state.over != "end":
        raise ProofError("standings are listed although no stage has ended")
    if len(found["stages"]) != len(state.playing):
        raise ProofError("the standings do not cover every stage that was played")
    for at_, one in enumerate(found["stages"], start=1):
        row = chain_fields_read(one, {"stage": int, "standings": list}, "the standings")
        if row["stage"] != at_:
            raise ProofError("the standings are not in the order of the stages")
        _standings_rows_require(row["standings"], proof_computed_standings(state, at_), at_)


def _standings_rows_require(claimed: Sequence[object], rows: Sequence[Row], stage_number: int) -> None:
    """Check the standings in a link against the computed ``rows``.

    Raises:
        ProofError: they differ. The message says where.
    """
    if len(claimed) != len(rows):
        raise ProofError(f"the standings of stage {stage_number} have {len(claimed)} rows, not {len(rows)}")
    for place, (one, row) in enumerate(zip(claimed, rows, strict=True), start=1):
        if chain_canonical_json(one) != chain_canonical_json(row._asdict()):
            raise ProofError(f"the standings of stage {stage_number}, row {place}, do not follow from the results")


def proof_table_drawn(
    state: ChainState, where: tuple[int, int, int], luck: int, seats: Sequence[int], reasons: Any
) -> None:
    """Add a drawn match to the current tables."""
    state.drawn += 1
    state.luck_of[state.drawn] = luck
    state.stage_of[state.drawn] = state.rounds[where[0]].stage
    state.round_of[state.drawn] = state.rounds[where[0]]
    state.tables[where[:2]] = TableFact(
        match=state.drawn,
        round=where[0],
        table=where[1],
        attempt=where[2],
        state=TableState.OPEN,
        seats=tuple(map(SeatFact, seats)),
        reasons=reasons,
    )


def proof_attempt_at(state: ChainState, round_number: int, table: int) -> int:
    """Return the attempt number of a match that is drawn now at the table.

    It is one more than the greatest attempt number of the superseded matches at this table.
    """
    return 1 + max((lost[2] for lost in state.lost if lost[:2] == (round_number, table)), default=0)


def _drawn(state: ChainState, playing: Playing, claimed: Sequence[object] | None) -> Sequence[DrawnRound]:
    try:
        rounds, own_rules = proof_computed_position(state, playing.terms.number).drawn_again(claimed)
    except ModuleNotFoundError as error:
        raise ProofError(f"rounds of this format cannot be checked here: install the package {error.name}") from None
    state.own_rules += own_rules
    return rounds


def _expected(state: ChainState, at_: int, playing: Playing, drawn: DrawnRound) -> dict[str, Any]:
    tables = [
        {
            "table": number,
            "attempt": proof_attempt_at(state, at_, number),
            "seats": list(one.seating),
            "reasons": one.reasons,
        }
        for number, one in enumerate(drawn.tables, start=1)
    ]
    points = playing.terms.bye_points
    return {
        "tables": tables,
        "byes": [{"entry": bye.entry, "points": points, "reasons": bye.reasons} for bye in drawn.byes],
    }


def _compare(at_: int, found: Mapping[str, Any], drawn: Mapping[str, Any]) -> None:
    for number, one in enumerate(found["tables"], start=1):
        chain_fields_read(one, TABLE, f"round {at_}, table {number}")
    for one in found["byes"]:
        chain_fields_read(one, BYE, f"a bye of round {at_}")
    for what in ("tables", "byes"):
        if len(found[what]) != len(drawn[what]):
            raise ProofError(f"round {at_}: {len(found[what])} {what} are listed, but {len(drawn[what])} are drawn")
        for number, (one, other) in enumerate(zip(found[what], drawn[what], strict=True), start=1):
            if chain_canonical_json(one) != chain_canonical_json(other):
                which = f"table {number} is" if what == "tables" else f"bye {number} goes to"
                raise ProofError(f"round {at_}: {which} not the one that follows from the links before")


HANDLERS: Final[Mapping[str, Callable[[ChainState, int, object], None]]] = {
    "stage": _stage_link,
    "round": _round_link,
    "begun": _round_begun_link,
    "swap": _swap_link,
    "stage_end": _stage_end_link,
    "end": _end_link,
    "cancelled": _cancelled_link,
    "standings": _standings_link,
}
