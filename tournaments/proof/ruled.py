"""Links about rulings, and what each changed of what was drawn: exactly what follows from it, and nothing else."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from tournaments.facts import State, Table, misplaced
from tournaments.proof.draws import attempt_at, table_drawn
from tournaments.proof.entering import entered, shut
from tournaments.proof.reading import OPTIONAL, ProofError, at, numbers, place, read
from tournaments.proof.state import Fold, Place, bracket_of, standings_of
from tournaments.standings import Corrections, Kind, Row, Ruling

RULING: Final = {
    "number": int,
    "kind": str,
    "match": (list, OPTIONAL),
    "entry": (int, OPTIONAL),
    "scores": (dict, OPTIONAL),
    "annul": bool,
    "reason": str,
    "by": dict,
}
EFFECTS: Final = {
    "undone": list,
    "drawn": list,
    "called_off": list,
    "restored": list,
    "rounds_undone": list,
    "byes": list,
    "rewound": list,
    "reopened": list,
}
DRAWN: Final = {"place": list, "luck": int, "seats": list, "reasons": (dict, OPTIONAL)}
OF_MATCHES: Final = frozenset({Kind.VOID, Kind.REPLAY, Kind.REPLACE})
SCORE_MOST: Final = 1_000_000


@dataclass(slots=True)
class Made:
    """A ruling whose effects are still to be told: the match it is about, and the standings before it."""

    ruling: Ruling
    table: Table | None
    before: dict[int, tuple[Row, ...]]
    out: int  # the number of its link


def ruling(fold: Fold, number: int, content: object) -> None:
    found = read(content, RULING, "a ruling")
    said = f"ruling {found['number']}"
    if found["number"] != len(fold.rulings) + 1:
        raise ProofError(f"{said} is told out of order")
    try:
        kind = Kind(found["kind"])
    except ValueError:
        raise ProofError(f"{said} is of an unknown kind") from None
    if not fold.playing or (fold.over and kind in (Kind.WITHDRAW,)) or fold.over == "cancelled":
        raise ProofError(f"{said} is made when nothing can be ruled")
    if not found["reason"]:
        raise ProofError(f"{said} has no reason")
    fold.person(found["by"], f"{said}: who ruled")
    table = _table(fold, found, kind, said)
    made = Ruling(
        number=found["number"],
        kind=kind,
        match=table.match if table else None,
        entrant=found["entry"],
        scores=_scores(found, kind, table, said),
        annul=found["annul"],
    )
    before = {stage: standings_of(fold, stage) for stage in fold.playing}
    _check_entry(fold, made, said)
    fold.rulings.append(made)
    _enforce(fold, made, number)
    fold.made = Made(made, table, before, number)


def effects(fold: Fold, number: int, content: object) -> None:
    """What a ruling has changed; ``{}`` of everything where no such link follows it."""
    made, fold.made, fold.reopening = fold.made, None, False
    if made is None:
        raise ProofError("something drawn was undone, and no ruling says why")
    found = read(content, EFFECTS, "what a ruling changed")
    if not any(found.values()):
        raise ProofError("a ruling is said to have changed nothing")
    _apply(fold, made, found)


def settle(fold: Fold) -> None:
    """The last ruling changed nothing that was drawn: let it be so, or say what is missing."""
    made, fold.made, fold.reopening = fold.made, None, False
    if made is not None:
        _apply(fold, made, {name: [] for name in EFFECTS})


def _table(fold: Fold, found: Mapping[str, Any], kind: Kind, said: str) -> Table | None:
    about_match = kind in OF_MATCHES or (kind is Kind.REINSTATE and found["entry"] is None)
    if not about_match:
        if found["match"] is not None:
            raise ProofError(f"{said} names a match that it cannot be about")
        return None
    where = place(found["match"], f"{said}: its match")
    table = fold.tables.get(where[:2])
    if table is None or table.attempt != where[2]:
        raise ProofError(f"{said} is about {at(where)}, which is not in force")
    if not fold.rounds[table.round].begun:
        raise ProofError(f"{said} is about {at(where)}, which had not begun")
    held = fold.held
    if kind is Kind.REINSTATE and table.match not in held.void and table.match not in held.given:
        raise ProofError(f"{said} takes back what was not ruled")
    return table


def _scores(found: Mapping[str, Any], kind: Kind, table: Table | None, said: str) -> dict[int, float]:
    scores = found["scores"]
    if kind is not Kind.REPLACE:
        if scores is not None:
            raise ProofError(f"{said} gives scores that it cannot give")
        return {}
    assert table is not None  # noqa: S101  it is about a match
    if not isinstance(scores, dict) or set(scores) != {str(entry) for entry in table.seating}:
        raise ProofError(f"{said} gives no scores, or others than the players'")
    for score in scores.values():
        if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= SCORE_MOST:
            raise ProofError(f"{said} gives a score that is none")
    return {entry: scores[str(entry)] for entry in table.seating}


def _check_entry(fold: Fold, made: Ruling, said: str) -> None:
    about_entry = made.kind in (Kind.DISQUALIFY, Kind.WITHDRAW) or (made.kind is Kind.REINSTATE and made.match is None)
    if about_entry != (made.entrant is not None):
        raise ProofError(f"{said} names no entry, or one that it cannot be about")
    if made.annul and made.kind is not Kind.DISQUALIFY:
        raise ProofError(f"{said} annuls what it cannot annul")
    if made.entrant is None:
        return
    one, disqualified = entered(fold, made.entrant), made.entrant in fold.held.disqualified
    if made.kind is Kind.REINSTATE and not disqualified and not one.barred:
        raise ProofError(f"{said} takes back in an entry that was not shut out")
    if made.kind is not Kind.REINSTATE and disqualified:
        raise ProofError(f"{said} shuts out an entry that is disqualified already")
    if made.kind is Kind.WITHDRAW and one.out is not None:
        raise ProofError(f"{said} withdraws an entry that had left")


def _enforce(fold: Fold, made: Ruling, number: int) -> None:
    if made.kind is Kind.REOPEN:
        if fold.over != "end":
            raise ProofError(f"ruling {made.number} re-opens what had not ended")
        fold.over, fold.reopening = "", True
        fold.stage.finished = None
    if made.entrant is None:
        return
    one = fold.entries[made.entrant]
    if made.kind is Kind.DISQUALIFY:
        one.had_left = one.out is not None
        shut(fold, made.entrant)
    if made.kind in (Kind.DISQUALIFY, Kind.WITHDRAW):
        one.out = number if one.out is None else one.out
    elif made.kind is Kind.REINSTATE:
        # By whoever was disqualified after it had left nothing changes but its name.
        if not one.had_left:
            one.out = None
        one.had_left, one.barred = False, False


def _apply(fold: Fold, made: Made, found: Mapping[str, Any]) -> None:
    said = f"ruling {made.ruling.number}"
    undone = [place(one, f"{said}: what it undid") for one in found["undone"]]
    expected, rewound = _undone(fold, made)
    if undone != sorted(expected):
        wrong = sorted(set(undone) ^ set(expected))
        raise ProofError(f"{said} undid other matches than follow from it" + (f": {at(wrong[0])}" if wrong else ""))
    replayed = made.table if made.ruling.kind is Kind.REPLAY else None
    _check_drawn(fold, replayed, found["drawn"], said)
    rounds = set(numbers(found["rounds_undone"], f"{said}: rounds"))
    for where in undone:
        fold.lost[where] = fold.tables.pop(where[:2])
    if replayed is not None:
        where = (replayed.round, replayed.table, attempt_at(fold, replayed.round, replayed.table))
        table_drawn(fold, where, len(fold.lucks), replayed.seating, replayed.reasons)
    if numbers(found["rewound"], f"{said}: stages") != sorted(rewound):
        raise ProofError(f"{said} let other stages begin anew than follow from it")
    empty = {
        number
        for number, one in fold.rounds.items()
        if one.stage in rewound or (_loses(fold, undone, number) and not any(key[0] == number for key in fold.tables))
    }
    if rounds != empty:
        raise ProofError(f"{said} undid other rounds than follow from it")
    for number in empty:
        del fold.rounds[number]
    for stage in rewound:
        del fold.playing[stage]
    for stage, playing in fold.playing.items():
        if playing.terms.is_knockout:
            playing.drawn = len(fold.rounds_of(stage))
    if found["restored"] or found["byes"]:
        raise ProofError(f"{said} restored a match or changed a bye, which none can")
    _call_off(fold, made, found["called_off"], said)
    _reopen(fold, made, found, bool(expected or rewound or replayed), said)


def _loses(fold: Fold, undone: Sequence[Place], number: int) -> bool:
    return any(where[0] == number for where in undone)


def _undone(fold: Fold, made: Made) -> tuple[set[Place], list[int]]:
    """The matches that lose their place, and the stages that begin anew, as ``selectors.proposals`` has them."""
    undone: set[Place] = set()
    rewound: list[int] = []
    anew = False
    for number in sorted(fold.playing):
        tables = fold.of_stage(number)
        if anew:
            undone |= {(one.round, one.table, one.attempt) for one in tables}
            rewound.append(number)
            continue
        lost: list[Table] = []
        if fold.playing[number].terms.is_knockout:
            lost = misplaced(tables, lambda gone, stage=number: _bracket(fold, stage, gone))  # type: ignore[misc]
        undone |= {(one.round, one.table, one.attempt) for one in lost}
        held = replace(fold.held, undone=frozenset(one.match for one in lost))
        becomes = standings_of(fold, number, held)
        replayed = made.ruling.kind is Kind.REPLAY and made.table in tables
        if replayed and made.table is not None:
            undone.add((made.table.round, made.table.table, made.table.attempt))
        anew = bool(lost) or replayed or _others_go_on(fold, number, made, becomes)
    return undone, rewound


def _bracket(fold: Fold, number: int, gone: frozenset[int]) -> Any:
    held: Corrections = replace(fold.held, undone=gone)
    return bracket_of(fold, number, held)


def _others_go_on(fold: Fold, number: int, made: Made, becomes: Sequence[Row]) -> bool:
    following = fold.playing.get(number + 1)
    if following is None or (made.ruling.kind is Kind.DISQUALIFY and not made.ruling.annul):
        return False
    stayed = {entry for entry, one in fold.entries.items() if one.out is None or one.out == made.out}
    if made.ruling.kind is Kind.REINSTATE:
        stayed.discard(made.ruling.entrant or 0)
    there = stayed | set(following.seeds)
    most = following.terms.entrants or None
    old = [row.entrant for row in made.before[number] if row.entrant in there][:most]
    return old != [row.entrant for row in becomes if row.entrant in there][:most]


def _check_drawn(fold: Fold, replayed: Table | None, told: Sequence[object], said: str) -> None:
    expected = []
    if replayed is not None:
        again = max(replayed.attempt, attempt_at(fold, replayed.round, replayed.table) - 1) + 1
        expected = [([replayed.round, replayed.table, again], list(replayed.seating))]
    found = [read(one, DRAWN, f"{said}: a match drawn") for one in told]
    if any(one["luck"] != len(fold.lucks) for one in found):
        raise ProofError(f"{said} had a match drawn from another luck than was in force")
    if [(one["place"], one["seats"]) for one in found] != expected or any(
        replayed is None or one["reasons"] != replayed.reasons for one in found
    ):
        raise ProofError(f"{said} had other matches drawn than follow from it")


def _call_off(fold: Fold, made: Made, told: Sequence[object], said: str) -> None:
    """Matches without a result that the ruling, or what it undid, called off."""
    for one in told:
        where = place(one, f"{said}: a match called off")
        table = fold.table_at(where)
        if table is None or table.state is not State.OPEN or not _may_call_off(fold, made, table, where):
            raise ProofError(f"{said} called off {at(where)}, which does not follow from it")
        fold.table_set(replace(table, state=State.CANCELLED))


def _may_call_off(fold: Fold, made: Made, table: Table, where: Place) -> bool:
    if where in fold.lost or (made.table is not None and made.table.match == table.match):
        return True
    terms = fold.stages[fold.stage_of[table.match]]
    duel = terms.players_per_table == 2 and not terms.is_knockout
    return made.ruling.annul and duel and made.ruling.entrant in table.seating


def _reopen(fold: Fold, made: Made, found: Mapping[str, Any], to_play: bool, said: str) -> None:
    reopened = numbers(found["reopened"], f"{said}: stages")
    number = max(fold.playing)
    playing = fold.playing[number]
    if to_play or made.ruling.kind is Kind.REOPEN:
        was = playing.finished is not None or made.ruling.kind is Kind.REOPEN
        playing.finished = None
        if reopened != ([number] if was else []):
            raise ProofError(f"{said} re-opened other stages than follow from it")
    elif reopened:
        raise ProofError(f"{said} re-opened a stage, which does not follow from it")
    ruled = made.ruling.kind
    fold.expected = "standings" if fold.over and ruled not in (Kind.NOTE, Kind.REOPEN) else ""


HANDLERS: Final[Mapping[str, Callable[[Fold, int, object], None]]] = {"ruling": ruling, "effects": effects}
