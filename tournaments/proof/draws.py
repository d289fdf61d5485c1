"""Links about stages and rounds: each is drawn again from everything before it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Final

from matches.proof.chain import canonical
from matches.proof.reading import OPTIONAL, Fields, ProofError, at, numbers, read
from tournaments.facts import ByeGiven, SeatFact, TableFact, TableState
from tournaments.formats.position import DrawnRound
from tournaments.formats.registry import format_of
from tournaments.proof.following import position_of, seeds_of, standings_of
from tournaments.proof.state import Fold, FoldedRound, Playing
from tournaments.standings import Row

ROUND: Final = {"round": int, "stage": int, "luck": int, "waits": bool, "tables": list, "byes": list}
TABLE: Final[Fields] = {"table": int, "attempt": int, "seats": list, "reasons": (dict, OPTIONAL)}
BYE: Final = {"entry": int, "points": int, "reasons": dict}


def stage(fold: Fold, number: int, content: object) -> None:
    found = read(content, {"stage": int, "seeds": list}, "a stage")
    at_ = found["stage"]
    if not fold.frozen or at_ not in fold.stages or at_ in fold.playing or (at_ > 1 and at_ - 1 not in fold.playing):
        raise ProofError(f"stage {at_} begins out of order, or was not announced")
    if at_ > 1 and fold.playing[at_ - 1].finished is None:
        raise ProofError(f"stage {at_} begins before the one before it has ended")
    if at_ == 1:
        fold.begun_with = len(fold.lucks)
    seeds = seeds_of(fold, at_) if at_ > 1 or format_of(fold.stages[1]).has_bracket else []
    if numbers(found["seeds"], f"the seeds of stage {at_}") != seeds:
        raise ProofError(f"stage {at_} begins with other seeds than follow from the results")
    fold.playing[at_] = Playing(fold.stages[at_], tuple(seeds))


def round_(fold: Fold, number: int, content: object) -> None:
    found = read(content, ROUND, "a round")
    at_, playing = found["round"], fold.stage
    if at_ != max(fold.rounds, default=0) + 1 or found["stage"] != playing.terms.number:
        raise ProofError(f"round {at_} is drawn out of order, or in another stage than is played")
    if found["luck"] != len(fold.lucks):
        raise ProofError(f"round {at_} is drawn from another luck than was in force")
    if not fold.pending:
        if (open_ := fold.undecided()) is not None:
            where = at((open_.round, open_.table, open_.attempt))
            raise ProofError(f"round {at_} is drawn though the result of {where} is missing")
        fold.pending = list(_drawn(fold, playing, found["tables"]))
        if not fold.pending:
            raise ProofError(f"round {at_} is drawn though its stage is over")
    drawn = fold.pending.pop(0)
    fold.expected = "round" if fold.pending else ""
    fold.rounds[at_] = FoldedRound(playing.terms.number, begun=not found["waits"])
    _compare(at_, found, _told(fold, at_, playing, drawn))
    playing.drawn += 1
    for one in found["tables"]:
        table_drawn(fold, (at_, one["table"], one["attempt"]), found["luck"], one["seats"], one["reasons"])
    fold.rounds[at_].byes = [ByeGiven(at_, bye["entry"], bye["points"]) for bye in found["byes"]]
    if found["waits"]:
        fold.arrange(at_)


def begun(fold: Fold, number: int, content: object) -> None:
    found = read(content, {"round": int}, "a round's beginning")
    waiting = fold.rounds.get(found["round"])
    if waiting is None or waiting.begun:
        raise ProofError(f"round {found['round']} begins twice, or was never drawn")
    waiting.begun = True


def swap(fold: Fold, number: int, content: object) -> None:
    found = read(content, {"round": int, "one": int, "other": int}, "a swap")
    at_, one, other = found["round"], found["one"], found["other"]
    waiting = fold.rounds.get(at_)
    if waiting is None or waiting.begun or fold.playing[waiting.stage].kind.has_bracket:
        raise ProofError(f"round {at_}: two changed places though it does not wait, or never may")
    tables = [table for table in fold.tables.values() if table.round == at_]
    seated = [table for table in tables if one in table.seating or other in table.seating]
    idle = [bye for bye in waiting.byes if bye.entrant in (one, other)]
    there = sum((one in table.seating) + (other in table.seating) for table in seated)
    if one == other or there + len(idle) < 2 or len(idle) == 2:
        raise ProofError(f"round {at_}: two changed places that are not both in it")
    newcomer = {one: other, other: one}
    for table in seated:
        seats = tuple(SeatFact(newcomer.get(entry, entry)) for entry in table.seating)
        fold.table_set(replace(table, seats=seats, reasons=None))
        for seat in seats:
            if fold.entries[seat.entrant].struck is not None or seat.entrant in fold.held.disqualified:
                fold.shut_out.setdefault(seat.entrant, set()).add(table.match)
    fold.arrange(at_)
    waiting.byes = [replace(bye, entrant=newcomer.get(bye.entrant, bye.entrant)) for bye in waiting.byes]
    fold.arrange(at_)


def stage_end(fold: Fold, number: int, content: object) -> None:
    found = read(content, {"stage": int, "standings": list}, "a stage's end")
    playing = fold.stage
    at_ = playing.terms.number
    if found["stage"] != at_ or playing.finished is not None:
        raise ProofError(f"stage {found['stage']} ends out of order")
    if (open_ := fold.undecided()) is not None:
        where = at((open_.round, open_.table, open_.attempt))
        raise ProofError(f"stage {at_} ends though the result of {where} is missing")
    if _drawn(fold, playing, None):
        raise ProofError(f"stage {at_} ends though a round of it is missing")
    playing.finished = number
    same_rows(found["standings"], standings_of(fold, at_), at_)
    following = fold.stages.get(at_ + 1)
    goes_on = following is not None and len(seeds_of(fold, at_ + 1)) >= format_of(following).smallest_field(following)
    fold.expected = "stage" if goes_on else "end"
    fold.ends_next = not goes_on


def end(fold: Fold, number: int, content: object) -> None:
    read(content, {}, "the end")
    if fold.ends_next is False:
        raise ProofError("the tournament ends in the middle of a stage")
    fold.ends_next, fold.over = False, "end"


def cancelled(fold: Fold, number: int, content: object) -> None:
    read(content, {}, "the calling off")
    fold.over = "cancelled"


def standings(fold: Fold, number: int, content: object) -> None:
    found = read(content, {"stages": list}, "the standings")
    if fold.over != "end":
        raise ProofError("standings are told where nothing had ended")
    if len(found["stages"]) != len(fold.playing):
        raise ProofError("the standings are not those of every stage that was played")
    for at_, one in enumerate(found["stages"], start=1):
        row = read(one, {"stage": int, "standings": list}, "the standings")
        if row["stage"] != at_:
            raise ProofError("the standings are not in the order of the stages")
        same_rows(row["standings"], standings_of(fold, at_), at_)


def same_rows(told: Sequence[object], rows: Sequence[Row], stage_number: int) -> None:
    """Check the standings that were told against those that follow.

    Raises:
        ProofError: they differ; where.
    """
    if len(told) != len(rows):
        raise ProofError(f"the standings of stage {stage_number} have {len(told)} rows, not {len(rows)}")
    for place, (one, row) in enumerate(zip(told, rows, strict=True), start=1):
        if canonical(one) != canonical(asdict(row)):
            raise ProofError(f"the standings of stage {stage_number}, row {place}, do not follow from the results")


def table_drawn(fold: Fold, where: tuple[int, int, int], luck: int, seats: Sequence[int], reasons: Any) -> None:
    """Bring a match into force."""
    fold.drawn += 1
    fold.luck_of[fold.drawn] = luck
    fold.stage_of[fold.drawn] = fold.rounds[where[0]].stage
    fold.tables[where[:2]] = TableFact(
        match=fold.drawn,
        round=where[0],
        table=where[1],
        attempt=where[2],
        state=TableState.OPEN,
        seats=tuple(map(SeatFact, seats)),
        reasons=reasons,
    )


def attempt_at(fold: Fold, round_number: int, table: int) -> int:
    """Return which attempt a match drawn now at the table is: one after all that lost their place there."""
    return 1 + max((lost[2] for lost in fold.lost if lost[:2] == (round_number, table)), default=0)


def _drawn(fold: Fold, playing: Playing, told: Sequence[object] | None) -> Sequence[DrawnRound]:
    try:
        rounds, own_rules = position_of(fold, playing.terms.number).drawn_again(told)
    except ModuleNotFoundError as error:
        raise ProofError(f"rounds of this format cannot be checked here: install the package {error.name}") from None
    fold.own_rules += own_rules
    return rounds


def _told(fold: Fold, at_: int, playing: Playing, drawn: DrawnRound) -> dict[str, Any]:
    tables = [
        {"table": number, "attempt": attempt_at(fold, at_, number), "seats": list(one.seating), "reasons": one.reasons}
        for number, one in enumerate(drawn.tables, start=1)
    ]
    points = playing.terms.bye_points
    return {
        "tables": tables,
        "byes": [{"entry": bye.entry, "points": points, "reasons": bye.reasons} for bye in drawn.byes],
    }


def _compare(at_: int, found: Mapping[str, Any], drawn: Mapping[str, Any]) -> None:
    for number, one in enumerate(found["tables"], start=1):
        read(one, TABLE, f"round {at_}, table {number}")
    for one in found["byes"]:
        read(one, BYE, f"a bye of round {at_}")
    for what in ("tables", "byes"):
        if len(found[what]) != len(drawn[what]):
            raise ProofError(f"round {at_}: {len(found[what])} {what} were told, {len(drawn[what])} are drawn")
        for number, (one, other) in enumerate(zip(found[what], drawn[what], strict=True), start=1):
            if canonical(one) != canonical(other):
                which = f"table {number} is" if what == "tables" else f"bye {number} goes to"
                raise ProofError(f"round {at_}: {which} another one than is drawn from everything before")


HANDLERS: Final[Mapping[str, Callable[[Fold, int, object], None]]] = {
    "stage": stage,
    "round": round_,
    "begun": begun,
    "swap": swap,
    "stage_end": stage_end,
    "end": end,
    "cancelled": cancelled,
    "standings": standings,
}
