"""The changes of a ruling to the draw: to tables, byes, rounds and stages. Each must follow from the ruling."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from matches.proof.chain import (
    OPTIONAL,
    Fields,
    ProofError,
    chain_canonical_json,
    chain_fields_read,
    chain_numbers_read,
    chain_place_read,
    chain_place_text,
)
from tournaments.facts import ByeGiven, Replaced, TableFact, TableState, facts_tables_misplaced
from tournaments.formats.draw_position import draw_position_next_rounds
from tournaments.formats.registry import format_of
from tournaments.proof.computed import (
    proof_computed_advancing,
    proof_computed_bracket,
    proof_computed_position,
    proof_computed_replaced,
    proof_computed_standings,
    proof_computed_waiting_check,
)
from tournaments.proof.entry_links import proof_entry_shut_out
from tournaments.proof.round_links import BYE, proof_attempt_at, proof_table_drawn
from tournaments.proof.state import ChainState, Place, Playing
from tournaments.standings import Corrections, RulingCode, StandingRuling

CHANGES: Final = {
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
    """A ruling whose effects are in the next link.

    ``table`` is the match that the ruling is about. ``left`` are the entries that left because of the ruling.
    """

    ruling: StandingRuling
    table: TableFact | None
    left: frozenset[int] = frozenset()


def proof_ruling_changes_apply(state: ChainState, made: Made | None, found: Mapping[str, Any], label: str) -> None:
    undone = [chain_place_read(one, f"{label}: what it undid") for one in found["undone"]]
    rewound = chain_numbers_read(found["rewound"], f"{label}: stages")
    drawn = [chain_place_read(one.get("place") if isinstance(one, dict) else None, label) for one in found["drawn"]]
    if any(len(set(claimed)) < len(claimed) for claimed in (undone, drawn, rewound)):
        raise ProofError(f"{label} lists a change twice")
    released = [chain_place_read(one, f"{label}: a match that is played after all") for one in found["restored"]]
    replaced = proof_computed_replaced(state, made.left if made is not None else frozenset(), rewound, released)
    _check_undone(state, made, undone, rewound, replaced, label)
    proof_computed_waiting_check(state, undone, drawn, replaced, label)
    for where in undone:
        table = state.tables.pop(where[:2])
        if _is_redrawable(state, where[0]) and state.stage_of[table.match] not in rewound:
            state.rounds[where[0]].spare[table.table] = table
        else:
            state.lost[where] = table
    before = dict(state.playing)
    _roll_back(state, rewound, label)
    for number in chain_numbers_read(found["rounds_undone"], f"{label}: rounds"):
        if number not in state.rounds or any(key[0] == number for key in state.tables):
            raise ProofError(f"{label} undid round {number}, which still has valid matches, or did not exist")
        gone = state.rounds_gone[number] = state.rounds.pop(number)
        if gone.stage not in rewound and not gone.playing.kind.has_bracket:
            raise ProofError(f"{label} undid round {number}, which does not follow from the ruling")
        gone.spare.clear()
    for where in drawn:
        _round_back(state, where, label)
    for one in found["drawn"]:
        _draw(state, made, chain_fields_read(one, DRAWN, f"{label}: a match drawn"), label)
    _byes_given(state, found["byes"], label)
    for one in found["called_off"]:
        _call_off(state, chain_place_read(one, f"{label}: a cancelled match"), label)
    for one in found["restored"]:
        _restore(state, made, chain_place_read(one, f"{label}: a match that is played after all"), label)
    for number in sorted(number for number in _rounds_in(found) if _is_redrawable(state, number)):
        _check_redrawn(state, number, label)
    reopened = chain_numbers_read(found["reopened"], f"{label}: stages")
    _stages_back(state, reopened)
    for stage, playing in state.playing.items():
        if playing.kind.has_bracket:
            playing.drawn = len(state.rounds_of(stage))
            tables = state.of_stage(stage)
            wrong = facts_tables_misplaced(tables, lambda gone, stage=stage: _bracket(state, stage, gone))  # type: ignore[misc]
            if wrong:
                raise ProofError(f"{label} leaves {_label(wrong[0])} although other bots meet there")
    _check_rounds(state, label)
    _check_seeds(state, before, rewound, label)
    replayed = made is not None and made.ruling.kind is RulingCode.REPLAY
    if replayed and not found["drawn"]:
        raise ProofError(f"{label} has a match played again that was not drawn")
    _tournament_reopen(state, made, reopened, label)
    for entry, one in state.entries.items():
        if one.struck is not None or entry in state.held.disqualified:
            proof_entry_shut_out(state, entry)


def _check_undone(
    state: ChainState,
    made: Made | None,
    undone: Sequence[Place],
    rewound: Sequence[int],
    replaced: Mapping[int, Replaced],
    label: str,
) -> None:
    """Check that the ``undone`` matches were current, and that each is superseded because of the ruling."""
    for where in undone:
        table = state.tables.get(where[:2])
        if table is None or table.attempt != where[2]:
            raise ProofError(f"{label} undid {chain_place_text(where)}, which was not valid")
        stage = state.stage_of[table.match]
        if stage in rewound or _is_redrawable(state, table.round) or table.match in state.held.orphans:
            continue
        if made is not None and made.ruling.kind is RulingCode.REPLAY and made.table == table:
            continue
        if stage in replaced and table.match in {one.match for one in replaced[stage].lost}:
            continue
        raise ProofError(f"{label} undid {chain_place_text(where)}, which does not follow from the ruling")


def _is_redrawable(state: ChainState, number: int) -> bool:
    """Return whether a round is drawn again when its entries change: it waits, and its stage has no bracket."""
    played = state.rounds.get(number)
    return played is not None and not played.begun and not played.playing.kind.has_bracket


def _roll_back(state: ChainState, rewound: Sequence[int], label: str) -> None:
    for stage in sorted(rewound):
        playing = state.playing.get(stage)
        if playing is None or stage == 1 or any(table for table in state.of_stage(stage)):
            raise ProofError(f"{label} lets stage {stage} restart, which does not follow from the ruling")
    if rewound and sorted(rewound) != [stage for stage in sorted(state.playing) if stage >= min(rewound)]:
        raise ProofError(f"{label} lets a stage restart, but not those after it")
    ended = {stage: playing.finished for stage, playing in state.playing.items()}
    together = {stage: state.playing.pop(stage) for stage in sorted(rewound)}
    for stage, playing in together.items():
        playing.ended, playing.together = ended, together
        state.playing_gone.setdefault(stage, []).append(playing)


def _check_seeds(state: ChainState, before: Mapping[int, Playing], rewound: Sequence[int], label: str) -> None:
    """Check, after all changes, that stages restart or are restored for a reason.

    A stage may restart if other entries now go on to it, or if the stage before it is open again. A stage may be
    restored if the entries with which it began go on to it again.
    """
    if rewound and not _is_open(state, min(rewound) - 1) and _is_advance_unchanged(state, before[min(rewound)]):
        raise ProofError(f"{label} lets stage {min(rewound)} restart although the same bots advance to it")
    restored = [stage for stage, playing in state.playing.items() if before.get(stage) is not playing]
    if restored and not _is_advance_unchanged(state, state.playing[min(restored)]):
        raise ProofError(f"{label} restores stage {min(restored)} although other bots advance to it")


def _check_rounds(state: ChainState, label: str) -> None:
    """Check, after all changes, that each round belongs to the current state of its stage.

    Also check that every round of a knockout has matches. An empty round would change the numbers of later rounds, and
    the seeds of matches depend on these numbers.
    """
    seated = {number for number, _table in state.tables}
    for number, one in state.rounds.items():
        is_empty = one.playing.kind.has_bracket and number not in seated
        if is_empty or state.playing.get(one.stage) is not one.playing:
            raise ProofError(f"{label} leaves round {number}, which is not valid any more")


def _is_open(state: ChainState, stage: int) -> bool:
    tables = state.of_stage(stage)
    if any(table.state is TableState.OPEN or table.match in state.held.open for table in tables):
        return True
    return state.playing[stage].kind.has_bracket and not proof_computed_bracket(state, stage).finished


def _is_advance_unchanged(state: ChainState, playing: Playing) -> bool:
    """Return whether the entries that now go on to the stage are those with which it began."""
    there = {entry for entry, one in state.entries.items() if one.out is None} | set(playing.seeds)
    held = state.held
    as_played = replace(held, disqualified={one: annul for one, annul in held.disqualified.items() if annul})
    rows = proof_computed_standings(state, playing.terms.number - 1, as_played)
    return proof_computed_advancing(state, playing.terms, rows, there) == list(playing.seeds)


def _draw(state: ChainState, made: Made | None, one: Mapping[str, Any], label: str) -> None:
    """Make a match current: a replay, a restored match, or a match of a waiting round."""
    where = chain_place_read(one["place"], f"{label}: a match drawn")
    seats = chain_numbers_read(one["seats"], f"{label}: its seats")
    if not 0 < one["luck"] <= len(state.lucks) or any(entry not in state.entries for entry in seats):
        raise ProofError(f"{label} drew {chain_place_text(where)} without bots, or from an unknown luck")
    if where[0] not in state.rounds:
        _restore_round(state, where[0], label)
    _check_luck(state, where, one["luck"], label)
    lost, own = state.lost.get(where), state.rounds[where[0]]
    if lost is not None and (own.begun or state.playing[own.stage].kind.has_bracket):
        if list(lost.seating) != seats or lost.reasons != one["reasons"] or where[:2] in state.tables:
            raise ProofError(f"{label} gave {chain_place_text(where)} its place again with other bots")
        state.tables[where[:2]] = state.lost.pop(where)
        state.luck_of[lost.match] = one["luck"]
        return
    if _is_redrawable(state, where[0]):
        there = state.tables.get(where[:2]) or own.spare.pop(where[1], None) or lost
        if where[2] != (there.attempt if there is not None else proof_attempt_at(state, *where[:2])):
            raise ProofError(f"{label} had {chain_place_text(where)} drawn with a wrong attempt number")
        state.lost.pop(where, None)
        proof_table_drawn(state, where, one["luck"], seats, one["reasons"])
        return
    replayed = made.table if made is not None and made.ruling.kind is RulingCode.REPLAY else None
    right = replayed is not None and (replayed.round, replayed.table) == where[:2] and list(replayed.seating) == seats
    if not right or replayed is None or one["reasons"] != replayed.reasons or one["luck"] != len(state.lucks):
        raise ProofError(f"{label} had {chain_place_text(where)} drawn, which does not follow from the ruling")
    if where[2] != proof_attempt_at(state, *where[:2]) or where[:2] in state.tables:
        raise ProofError(f"{label} had {chain_place_text(where)} drawn with a wrong attempt number")
    proof_table_drawn(state, where, one["luck"], seats, one["reasons"])
    state.rulings[-1] = replace(state.rulings[-1], new=state.drawn)


def _check_luck(state: ChainState, where: Place, luck: int, label: str) -> None:
    """Check that a match has the current luck, or the luck that it had before.

    A match that did not exist before may have the luck of its round instead. The seeds of the match depend on its luck.
    """
    own = state.rounds[where[0]]
    there = state.tables.get(where[:2]) or own.spare.get(where[1]) or state.lost.get(where)
    if luck not in (len(state.lucks), own.luck if there is None else state.luck_of[there.match]):
        raise ProofError(f"{label} drew {chain_place_text(where)} from a luck that does not follow from the ruling")


def _round_back(state: ChainState, where: Place, label: str) -> None:
    """Restore the round of a superseded match that becomes current again.

    Another round may have been drawn since then with the same number. It is replaced if it has no tables any more.
    """
    lost = state.lost.get(where)
    if lost is None or any(key[0] == where[0] for key in state.tables):
        return
    own = state.round_of[lost.match]
    if state.rounds.get(where[0]) is not own:
        state.rounds.pop(where[0], None)
        state.rounds_gone[where[0]] = own
        _restore_round(state, where[0], label)


def _restore_round(state: ChainState, number: int, label: str) -> None:
    """Restore a round that was undone, and its stage."""
    gone = state.rounds_gone.pop(number, None)
    if gone is None:
        raise ProofError(f"{label} drew in round {number}, which did not exist")
    state.rounds[number] = gone
    if gone.stage not in state.playing:
        _stage_back(state, gone.playing)
    if state.playing[gone.stage] is not gone.playing:
        raise ProofError(f"{label} drew in stage {gone.stage} as it was before it restarted")


def _stage_back(state: ChainState, playing: Playing) -> None:
    """Restore a stage, and the stages that were rolled back together with it and have not begun again."""
    state.playing |= {stage: one for stage, one in playing.together.items() if stage not in state.playing}
    for stage, ended in playing.ended.items():
        if stage in state.playing:
            state.playing[stage].finished = ended


def _stages_back(state: ChainState, reopened: Sequence[int]) -> None:
    """Restore the ``reopened`` stages that had no drawn rounds. Other stages are restored together with their rounds.

    A stage may have been rolled back several times. Its last state is restored whose entries now go on to it.
    """
    for stage in reopened:
        gone = state.playing_gone.get(stage, ()) if stage not in state.playing else ()
        playing = next((one for one in reversed(gone) if _comes_back(state, one)), None)
        if playing is not None:
            _stage_back(state, playing)


def _comes_back(state: ChainState, playing: Playing) -> bool:
    """Return whether a stage that was rolled back can be restored: the entries with which it began go on to it.

    Earlier stages may have been rolled back together with it. Then this is checked for the first of them that has not
    begun again.
    """
    first = min(stage for stage in playing.together if stage not in state.playing)
    return first - 1 in state.playing and _is_advance_unchanged(state, playing.together[first])


def _byes_given(state: ChainState, claimed: Sequence[object], label: str) -> None:
    for one in claimed:
        found = chain_fields_read(one, {"round": int, "byes": list}, f"{label}: byes")
        byes = [chain_fields_read(bye, BYE, f"{label}: a bye") for bye in found["byes"]]
        number = found["round"]
        if number not in state.rounds:
            _restore_round(state, number, label)
        given = [ByeGiven(number, bye["entry"], bye["points"]) for bye in byes]
        played = state.rounds[number]
        if not _is_redrawable(state, number) and given != played.byes:
            raise ProofError(f"{label} changed the byes of round {number}, which is not drawn again")
        for bye in given:
            if bye.points != played.playing.terms.bye_points:
                raise ProofError(f"{label} gives {bye.points} points for a bye in round {number}")
        played.byes = given


def _rounds_in(found: Mapping[str, Any]) -> set[int]:
    claimed = [one.get("place", [0]) for one in found["drawn"] if isinstance(one, dict)] + list(found["undone"])
    rounds = {one[0] for one in claimed if isinstance(one, list) and one and isinstance(one[0], int)}
    return rounds | {one["round"] for one in found["byes"] if isinstance(one, dict) and type(one.get("round")) is int}


def _check_redrawn(state: ChainState, number: int, label: str) -> None:
    """Check that a waiting round is arranged as drawn from the current state, or as it was arranged before."""
    stage = state.rounds[number].stage
    drawn = draw_position_next_rounds(
        proof_computed_position(_without_round(state, number), state.playing[stage].terms.number)
    )
    fresh = [[[list(one.seating) for one in it.tables], [bye.entry for bye in it.byes]] for it in drawn]
    now, tables = state.arrangement(number), sorted(table for played, table in state.tables if played == number)
    if tables != list(range(1, len(tables) + 1)):
        raise ProofError(f"{label}: the tables of round {number} do not have the numbers that follow from the draw")
    if now not in map(chain_canonical_json, fresh) and now not in state.arrangements.get(number, ()):
        raise ProofError(f"{label}: round {number} is not the one that follows from the links before")
    state.arrange(number)


def _without_round(state: ChainState, number: int) -> ChainState:
    """Return the state without this round, which is the last of its stage."""
    stage = state.rounds[number].stage
    played = state.playing[stage]
    return replace(
        state,
        rounds={one: there for one, there in state.rounds.items() if one != number},
        tables={where: table for where, table in state.tables.items() if table.round != number},
        playing=state.playing | {stage: replace(played, drawn=played.drawn - 1)},
    )


def _call_off(state: ChainState, where: Place, label: str) -> None:
    """Cancel a match without a result."""
    table = state.table_at(where)
    if table is None or table.state is not TableState.OPEN or not _may_call_off(state, table, where):
        raise ProofError(f"{label} cancelled {chain_place_text(where)}, which does not follow from the ruling")
    state.table_set(replace(table, state=TableState.CANCELLED))


def _may_call_off(state: ChainState, table: TableFact, where: Place) -> bool:
    held = state.held
    if where in state.lost or table.match in held.void or table.match in held.given:
        return True
    terms = state.stages[state.stage_of[table.match]]
    duel = terms.players_per_table == 2 and not format_of(terms).has_bracket
    return duel and any(held.annulled(entry) for entry in table.seating)


def _restore(state: ChainState, made: Made | None, where: Place, label: str) -> None:
    """Restore a cancelled match that is played after all."""
    table = state.tables.get(where[:2])
    if table is None or table.attempt != where[2] or table.state is not TableState.CANCELLED or made is None:
        raise ProofError(
            f"{label} lets {chain_place_text(where)} be played after all, which does not follow from the ruling"
        )
    state.table_set(replace(table, state=TableState.OPEN))


def _bracket(state: ChainState, number: int, gone: frozenset[int]) -> Any:
    held: Corrections = replace(state.held, undone=gone)
    return proof_computed_bracket(state, number, held)


def _tournament_reopen(state: ChainState, made: Made | None, reopened: Sequence[int], label: str) -> None:
    last = max(state.playing)
    if any(number != last for number in reopened):
        raise ProofError(f"{label} re-opened stages that do not follow from the ruling")
    if reopened or any(table.state is TableState.OPEN for table in state.of_stage(last)):
        state.playing[last].finished = None
    ruled = made.ruling.kind if made is not None else RulingCode.NOTE
    silent = (RulingCode.NOTE, RulingCode.REOPEN)
    took_back_reopening = ruled is RulingCode.TAKE_BACK and made is not None and _was_reopening(state, made.ruling)
    state.expected = "standings" if state.over and ruled not in silent and not took_back_reopening else ""


def _was_reopening(state: ChainState, made: StandingRuling) -> bool:
    return any(one.number == made.names and one.kind is RulingCode.REOPEN for one in state.rulings)


def _label(table: TableFact) -> str:
    return chain_place_text((table.round, table.table, table.attempt))
