"""Links about rulings, and about their changes to the draw. The changes must be exactly what the ruling requires."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from matches.proof.chain import OPTIONAL, Fields, ProofError, chain_fields_read, chain_place_read, chain_place_text
from tournaments.facts import TableFact
from tournaments.proof.ruling_changes import CHANGES, Made, proof_ruling_changes_apply
from tournaments.proof.state import ChainState, proof_entry_of
from tournaments.standings import RulingCode, StandingRuling
from tournaments.standings.results import standings_rulings_active

RULING: Final[Fields] = {
    "number": int,
    "kind": str,
    "match": (list, OPTIONAL),
    "entry": (int, OPTIONAL),
    "names": (int, OPTIONAL),
    "scores": (dict, OPTIONAL),
    "annul": bool,
    "reason": str,
    "by": dict,
}
OF_MATCHES: Final = frozenset({RulingCode.VOID, RulingCode.REPLAY, RulingCode.REPLACE})
SCORE_MOST: Final = 1_000_000


def _ruling_link(state: ChainState, number: int, content: object) -> None:
    found = chain_fields_read(content, RULING, "a ruling")
    label = f"ruling {found['number']}"
    if found["number"] != len(state.rulings) + 1:
        raise ProofError(f"{label} is out of order")
    try:
        kind = RulingCode(found["kind"])
    except ValueError:
        raise ProofError(f"{label} is of an unknown kind") from None
    if not state.playing or state.over == "cancelled":
        raise ProofError(f"{label} is made when no ruling is possible")
    if not found["reason"]:
        raise ProofError(f"{label} has no reason")
    state.person(found["by"], f"{label}: who ruled")
    table = _table(state, found, kind, label)
    named = _named(state, found, kind, label)
    made = StandingRuling(
        number=found["number"],
        kind=kind,
        match=named.match if named else table.match if table else None,
        entrant=named.entrant if named else found["entry"],
        scores=_scores(found, kind, table, label),
        annul=found["annul"],
        names=found["names"],
    )
    if named is None:
        _check_entry(state, made, label)
    present = state.taking_part
    state.rulings.append(made)
    state.ruled_at[made.number] = number
    _enforce(state, made, named)
    state.settle_people()
    state.made = Made(made, table, present - state.taking_part)


def _ruling_effects_link(state: ChainState, number: int, content: object) -> None:
    """Apply the changes of a ruling to the draw."""
    made, state.made, state.reopening = state.made, None, False
    if made is None:
        raise ProofError("a draw was undone without a ruling")
    found = chain_fields_read(content, CHANGES, "what a ruling changed")
    if not any(found.values()):
        raise ProofError("a ruling has an empty list of changes")
    proof_ruling_changes_apply(state, made, found, f"ruling {made.ruling.number}")


def _round_redrawn_link(state: ChainState, number: int, content: object) -> None:
    """Apply the redraw of a waiting round after entries have left or come back."""
    found = chain_fields_read(content, CHANGES, "a round drawn again")
    if any(found[name] for name in ("rewound", "reopened", "rounds_undone")):
        raise ProofError("a round that is drawn again undid more than itself")
    proof_ruling_changes_apply(state, None, found, "a round drawn again")


def _stage_restarted_link(state: ChainState, number: int, content: object) -> None:
    """Restart a stage to which other entries go on after a match was replayed."""
    found = chain_fields_read(content, CHANGES, "a stage that restarts")
    if not found["rewound"] or any(found[name] for name in ("drawn", "restored")):
        raise ProofError("the restart of a stage lists no stage, or other changes")
    proof_ruling_changes_apply(state, None, found, "a stage that restarts")


def proof_ruling_links_settle(state: ChainState) -> None:
    """Check that the last ruling needs no changes to the draw. Do nothing if a link with its effects has followed."""
    made, state.made, state.reopening = state.made, None, False
    if made is not None:
        proof_ruling_changes_apply(state, made, {name: [] for name in CHANGES}, f"ruling {made.ruling.number}")


def _table(state: ChainState, found: Mapping[str, Any], kind: RulingCode, label: str) -> TableFact | None:
    if kind not in OF_MATCHES:
        if found["match"] is not None:
            raise ProofError(f"{label} has an invalid match")
        return None
    where = chain_place_read(found["match"], f"{label}: its match")
    table = state.tables.get(where[:2])
    if table is None or table.attempt != where[2]:
        raise ProofError(f"{label} is about {chain_place_text(where)}, which is not valid")
    if not state.rounds[table.round].begun:
        raise ProofError(f"{label} is about {chain_place_text(where)}, which had not begun")
    return table


def _named(state: ChainState, found: Mapping[str, Any], kind: RulingCode, label: str) -> StandingRuling | None:
    if (kind is RulingCode.TAKE_BACK) != (found["names"] is not None):
        raise ProofError(f"{label} has an invalid ruling, or none")
    if found["names"] is None:
        return None
    named = next((one for one in standings_rulings_active(state.rulings) if one.number == found["names"]), None)
    if named is None or found["entry"] is not None or found["annul"]:
        raise ProofError(f"{label} reverses a ruling that is not valid")
    return named


def _scores(found: Mapping[str, Any], kind: RulingCode, table: TableFact | None, label: str) -> dict[int, float]:
    scores = found["scores"]
    if kind is not RulingCode.REPLACE:
        if scores is not None:
            raise ProofError(f"{label} gives scores although its kind has none")
        return {}
    assert table is not None  # noqa: S101  the ruling is about a match
    if not isinstance(scores, dict) or set(scores) != {str(entry) for entry in table.seating}:
        raise ProofError(f"{label} gives no scores, or not one for each bot")
    for score in scores.values():
        if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= SCORE_MOST:
            raise ProofError(f"{label} gives an invalid score")
    return {entry: scores[str(entry)] for entry in table.seating}


def _check_entry(state: ChainState, made: StandingRuling, label: str) -> None:
    about_entry = made.kind in (RulingCode.DISQUALIFY, RulingCode.WITHDRAW, RulingCode.REINSTATE)
    if about_entry != (made.entrant is not None):
        raise ProofError(f"{label} has an invalid entry, or none")
    if made.annul and made.kind is not RulingCode.DISQUALIFY:
        raise ProofError(f"{label} annuls results although its kind cannot")
    if made.entrant is None:
        return
    one, disqualified = proof_entry_of(state, made.entrant), made.entrant in state.held.disqualified
    if made.kind is RulingCode.REINSTATE and one.struck is None:
        raise ProofError(f"{label} readmits an entry that was not excluded by the rules")
    if made.kind is not RulingCode.REINSTATE and disqualified:
        raise ProofError(f"{label} excludes an entry that is disqualified already")
    if made.kind is RulingCode.WITHDRAW and one.out is not None:
        raise ProofError(f"{label} withdraws an entry that had left")


def _enforce(state: ChainState, made: StandingRuling, named: StandingRuling | None) -> None:
    """Apply the effects of a ruling that do not follow from the corrections."""
    if made.kind is RulingCode.REOPEN:
        if state.over != "end":
            raise ProofError(f"ruling {made.number} re-opens a tournament that had not ended")
        state.kept[made.number] = state.stage.finished
        state.over, state.reopening = "", True
        state.stage.finished = None
    if made.kind is RulingCode.REINSTATE and made.entrant is not None:
        state.kept[made.number] = state.entries[made.entrant].struck
        state.entries[made.entrant].struck = None
    if named is None:
        return
    if named.kind is RulingCode.REINSTATE and named.entrant is not None:
        state.entries[named.entrant].struck = state.kept[named.number]
    if named.kind is RulingCode.REOPEN:
        state.over = "end"
        state.stage.finished = state.kept[named.number]


HANDLERS: Final[Mapping[str, Callable[[ChainState, int, object], None]]] = {
    "ruling": _ruling_link,
    "effects": _ruling_effects_link,
    "redrawn": _round_redrawn_link,
    "mended": _stage_restarted_link,
}
