"""What a ruling changed of what was drawn: tables, byes, rounds and stages, each allowed only where it follows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from matches.proof.chain import canonical
from matches.proof.reading import OPTIONAL, Fields, ProofError, at, numbers, place, read
from tournaments.facts import ByeGiven, TableFact, TableState, misplaced
from tournaments.formats.position import next_rounds
from tournaments.formats.registry import format_of
from tournaments.proof.draws import BYE, attempt_at, table_drawn
from tournaments.proof.following import bracket_of, position_of, standings_of
from tournaments.proof.state import Fold, Place
from tournaments.standings import Corrections, RulingCode, StandingRuling

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
DRAWN: Final[Fields] = {"place": list, "luck": int, "seats": list, "reasons": (dict, OPTIONAL)}


@dataclass(slots=True)
class Made:
    """A ruling whose effects are still to be told, and the match it is about."""

    ruling: StandingRuling
    table: TableFact | None


def effects_apply(fold: Fold, made: Made | None, found: Mapping[str, Any], said: str) -> None:
    undone = [place(one, f"{said}: what it undid") for one in found["undone"]]
    rewound = numbers(found["rewound"], f"{said}: stages")
    drawn = [place(one.get("place") if isinstance(one, dict) else None, said) for one in found["drawn"]]
    if any(len(set(told)) < len(told) for told in (undone, drawn, rewound)):
        raise ProofError(f"{said} tells the same change twice")
    for where in undone:
        _check_undone(fold, made, where, rewound, said)
    for where in undone:
        fold.lost[where] = fold.tables.pop(where[:2])
    _rewind(fold, rewound, said)
    for number in numbers(found["rounds_undone"], f"{said}: rounds"):
        if number not in fold.rounds or any(key[0] == number for key in fold.tables):
            raise ProofError(f"{said} undid round {number}, in which matches hold, or which was not there")
        fold.rounds_gone[number] = fold.rounds.pop(number)
    redrawn_rounds = {number for number in _rounds_in(found) if number in fold.rounds and not fold.rounds[number].begun}
    for one in found["drawn"]:
        _draw(fold, made, read(one, DRAWN, f"{said}: a match drawn"), said)
    _byes_given(fold, found["byes"], said)
    for one in found["called_off"]:
        _call_off(fold, place(one, f"{said}: a match called off"), said)
    for one in found["restored"]:
        _restore(fold, made, place(one, f"{said}: a match that is played after all"), said)
    for number in sorted(redrawn_rounds):
        _check_redrawn(fold, number, said)
    for stage, playing in fold.playing.items():
        if playing.kind.has_bracket:
            playing.drawn = len(fold.rounds_of(stage))
            tables = fold.of_stage(stage)
            wrong = misplaced(tables, lambda gone, stage=stage: _bracket(fold, stage, gone))  # type: ignore[misc]
            if wrong:
                raise ProofError(f"{said} leaves {_label(wrong[0])} though others meet there")
    replayed = made is not None and made.ruling.kind is RulingCode.REPLAY
    if replayed and not found["drawn"]:
        raise ProofError(f"{said} has a match played again that was never drawn")
    _reopen(fold, made, numbers(found["reopened"], f"{said}: stages"), said)


def _check_undone(fold: Fold, made: Made | None, where: Place, rewound: Sequence[int], said: str) -> None:
    table = fold.tables.get(where[:2])
    if table is None or table.attempt != where[2]:
        raise ProofError(f"{said} undid {at(where)}, which was not in force")
    stage = fold.stage_of[table.match]
    if stage in rewound or not fold.rounds[table.round].begun or table.match in fold.held.orphans:
        return
    if made is not None and made.ruling.kind is RulingCode.REPLAY and made.table == table:
        return
    if fold.playing[stage].kind.has_bracket:
        wrong = misplaced(fold.of_stage(stage), lambda gone: _bracket(fold, stage, gone))
        if table in wrong:
            return
    raise ProofError(f"{said} undid {at(where)}, which does not follow from it")


def _rewind(fold: Fold, rewound: Sequence[int], said: str) -> None:
    for stage in sorted(rewound):
        playing = fold.playing.get(stage)
        if playing is None or stage == 1 or any(table for table in fold.of_stage(stage)):
            raise ProofError(f"{said} lets stage {stage} begin anew, which does not follow")
    if rewound and sorted(rewound) != [stage for stage in sorted(fold.playing) if stage >= min(rewound)]:
        raise ProofError(f"{said} lets a stage begin anew, and not those after it")
    if rewound and not _others_go_on(fold, min(rewound)):
        raise ProofError(f"{said} lets stage {min(rewound)} begin anew though the same go on to it")
    for stage in rewound:
        fold.stages_gone.setdefault(stage, []).append(fold.playing.pop(stage))


def _others_go_on(fold: Fold, stage: int) -> bool:
    """Tell whether others go on to the stage by now, or that is open again."""
    if any(table.state is TableState.OPEN or table.match in fold.held.open for table in fold.of_stage(stage - 1)):
        return True
    playing = fold.playing[stage]
    there = {entry for entry, one in fold.entries.items() if one.out is None} | set(playing.seeds)
    held = fold.held
    as_played = replace(held, disqualified={one: annul for one, annul in held.disqualified.items() if annul})
    best = [row.entrant for row in standings_of(fold, stage - 1, as_played) if row.entrant in there]
    tables = fold.of_stage(stage - 1)
    wrong = []
    if fold.playing[stage - 1].kind.has_bracket:
        wrong = misplaced(tables, lambda gone: _bracket(fold, stage - 1, gone))
    return bool(wrong) or best[: playing.terms.entrants or None] != list(playing.seeds)


def _draw(fold: Fold, made: Made | None, one: Mapping[str, Any], said: str) -> None:
    """Bring a match into force: one that is played again, one that lost its place, or one of a round that waits."""
    where = place(one["place"], f"{said}: a match drawn")
    seats = numbers(one["seats"], f"{said}: its seats")
    if not 0 < one["luck"] <= len(fold.lucks) or any(entry not in fold.entries for entry in seats):
        raise ProofError(f"{said} drew {at(where)} for nobody, or from a luck that is none")
    lost = fold.lost.get(where)
    if where[0] not in fold.rounds:
        _revive(fold, where[0], said)
    if lost is not None and fold.rounds[where[0]].begun:
        if list(lost.seating) != seats or lost.reasons != one["reasons"] or where[:2] in fold.tables:
            raise ProofError(f"{said} gave {at(where)} its place again with other players")
        fold.tables[where[:2]] = fold.lost.pop(where)
        fold.luck_of[lost.match] = one["luck"]
        return
    if not fold.rounds[where[0]].begun:
        fold.lost.pop(where, None)
        table_drawn(fold, where, one["luck"], seats, one["reasons"])
        return
    replayed = made.table if made is not None and made.ruling.kind is RulingCode.REPLAY else None
    right = replayed is not None and (replayed.round, replayed.table) == where[:2] and list(replayed.seating) == seats
    if not right or replayed is None or one["reasons"] != replayed.reasons or one["luck"] != len(fold.lucks):
        raise ProofError(f"{said} had {at(where)} drawn, which does not follow from it")
    if where[2] != attempt_at(fold, *where[:2]) or where[:2] in fold.tables:
        raise ProofError(f"{said} had {at(where)} drawn as another attempt than it is")
    table_drawn(fold, where, one["luck"], seats, one["reasons"])
    fold.rulings[-1] = replace(fold.rulings[-1], new=fold.drawn)


def _revive(fold: Fold, number: int, said: str) -> None:
    """Bring back a round that was undone, and with it its stage."""
    gone = fold.rounds_gone.pop(number, None)
    if gone is None:
        raise ProofError(f"{said} drew in round {number}, which was never there")
    fold.rounds[number] = gone
    if gone.stage not in fold.playing:
        if not fold.stages_gone.get(gone.stage):
            raise ProofError(f"{said} drew in stage {gone.stage}, which was never there")
        fold.playing[gone.stage] = fold.stages_gone[gone.stage].pop()


def _byes_given(fold: Fold, told: Sequence[object], said: str) -> None:
    for one in told:
        found = read(one, {"round": int, "byes": list}, f"{said}: byes")
        byes = [read(bye, BYE, f"{said}: a bye") for bye in found["byes"]]
        number = found["round"]
        if number not in fold.rounds:
            _revive(fold, number, said)
        given = [ByeGiven(number, bye["entry"], bye["points"]) for bye in byes]
        if fold.rounds[number].begun and given != fold.rounds[number].byes:
            raise ProofError(f"{said} changed the byes of round {number}, which had begun")
        fold.rounds[number].byes = given


def _rounds_in(found: Mapping[str, Any]) -> set[int]:
    told = [one.get("place", [0]) for one in found["drawn"] if isinstance(one, dict)] + list(found["undone"])
    rounds = {one[0] for one in told if isinstance(one, list) and one and isinstance(one[0], int)}
    return rounds | {one["round"] for one in found["byes"] if isinstance(one, dict) and type(one.get("round")) is int}


def _check_redrawn(fold: Fold, number: int, said: str) -> None:
    """Check that a round that waits is as it is drawn from what holds now, or as it stood when the same were there."""
    tables = sorted((one for one in fold.tables.values() if one.round == number), key=lambda one: one.table)
    now = canonical([[list(one.seating) for one in tables], [bye.entrant for bye in fold.rounds[number].byes]])
    played = fold.playing[fold.rounds[number].stage]
    kept = fold.rounds.pop(number)
    for one in tables:
        del fold.tables[(one.round, one.table)]
    played.drawn -= 1
    drawn = next_rounds(position_of(fold, played.terms.number))
    played.drawn += 1
    fold.rounds[number] = kept
    for one in tables:
        fold.tables[(one.round, one.table)] = one
    fresh = [[[list(one.seating) for one in it.tables], [bye.entry for bye in it.byes]] for it in drawn]
    if now not in map(canonical, fresh) and now not in fold.arrangements.get(number, ()):
        raise ProofError(f"{said}: round {number} is another one than is drawn from everything before")
    fold.arrange(number)


def _call_off(fold: Fold, where: Place, said: str) -> None:
    """Call off a match without a result, which is not played (to the end)."""
    table = fold.table_at(where)
    if table is None or table.state is not TableState.OPEN or not _may_call_off(fold, table, where):
        raise ProofError(f"{said} called off {at(where)}, which does not follow from it")
    fold.table_set(replace(table, state=TableState.CANCELLED))


def _may_call_off(fold: Fold, table: TableFact, where: Place) -> bool:
    held = fold.held
    if where in fold.lost or table.match in held.void or table.match in held.given:
        return True
    terms = fold.stages[fold.stage_of[table.match]]
    duel = terms.players_per_table == 2 and not format_of(terms).has_bracket
    return duel and any(held.annulled(entry) for entry in table.seating)


def _restore(fold: Fold, made: Made | None, where: Place, said: str) -> None:
    """Restore a match that was called off, and is played after all."""
    table = fold.tables.get(where[:2])
    if table is None or table.attempt != where[2] or table.state is not TableState.CANCELLED or made is None:
        raise ProofError(f"{said} lets {at(where)} be played after all, which does not follow from it")
    fold.table_set(replace(table, state=TableState.OPEN))


def _bracket(fold: Fold, number: int, gone: frozenset[int]) -> Any:
    held: Corrections = replace(fold.held, undone=gone)
    return bracket_of(fold, number, held)


def _reopen(fold: Fold, made: Made | None, reopened: Sequence[int], said: str) -> None:
    last = max(fold.playing)
    if any(number != last for number in reopened):
        raise ProofError(f"{said} re-opened other stages than follow from it")
    if reopened or any(table.state is TableState.OPEN for table in fold.of_stage(last)):
        fold.playing[last].finished = None
    ruled = made.ruling.kind if made is not None else RulingCode.NOTE
    silent = (RulingCode.NOTE, RulingCode.REOPEN)
    took_back_reopening = ruled is RulingCode.TAKE_BACK and made is not None and _was_reopening(fold, made.ruling)
    fold.expected = "standings" if fold.over and ruled not in silent and not took_back_reopening else ""


def _was_reopening(fold: Fold, made: StandingRuling) -> bool:
    return any(one.number == made.names and one.kind is RulingCode.REOPEN for one in fold.rulings)


def _label(table: TableFact) -> str:
    return at((table.round, table.table, table.attempt))
