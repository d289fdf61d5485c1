"""Links about the terms of the tournament, its luck and its entries."""

from collections.abc import Callable, Mapping
from typing import Final

from games.catalogue import UnknownRuleset, find
from games.protocol import LimitError, Limits
from games.ruleset import OptionError, SeatError
from luck import luck_values_of
from matches.proof.chain import ProofError, chain_digest_read, chain_fields_read
from tournaments.facts import TableState
from tournaments.formats.draw_position import StageTerms
from tournaments.formats.registry import FORMATS
from tournaments.proof.state import ChainState, Entered, Epoch, proof_entry_of
from tournaments.standings import TIE_BREAKS

ENTRIES_MOST: Final = 5000
STAGES_MOST: Final = 20
FORFEITS_ALLOWED: Final = 1  # per tournament; with one more, the bot is withdrawn
TERMS: Final = {
    "name": str,
    "ruleset": str,
    "options": dict,
    "limits": dict,
    "pace_ms": int,
    "tie_breaks": list,
    "entrants_most": int,
    "entries_per_author": int,
    "stages": list,
}
# Terms that are in the link only if they differ from their defaults
SOMETIMES: Final = ("admission", "keep_apart", "luck_value", "new_versions")
STAGE: Final = {
    "number": int,
    "format": str,
    "rounds": int,
    "entrants": int,
    "players_per_table": int,
    "smallest_table": int,
    "blocks": int,
    "stopping": dict,
    "third_place": bool,
}
BY_INVITATION: Final = "invited"
BY_AUTHOR: Final = "author"
BETWEEN_STAGES: Final = "between_stages"
UPDATES: Final = (BETWEEN_STAGES, "between_rounds")
WHY: Final = frozenset({"withdrawn", "forfeits", "deleted"})


def _terms_link(state: ChainState, number: int, content: object) -> None:
    if state.frozen:
        raise ProofError("the terms were changed after the entries were frozen")
    claimed = {name: str for name in SOMETIMES if isinstance(content, dict) and name in content}
    found = chain_fields_read(content, {**TERMS, **claimed}, "the terms")
    if "admission" in claimed and found["admission"] != BY_INVITATION:
        raise ProofError("the terms: unknown value of who may enter")
    if found.get("keep_apart", BY_AUTHOR) != BY_AUTHOR:
        raise ProofError("the terms: unknown value of who is kept apart")
    if found.get("new_versions", BETWEEN_STAGES) not in UPDATES:
        raise ProofError("the terms: unknown value of when bots are updated")
    if "luck_value" in claimed and found["luck_value"] not in luck_values_of(found["ruleset"]):
        raise ProofError(f"the terms: the value for luck is not installed here: {found['luck_value']!r:.60}")
    try:
        Limits.from_dict(found["limits"])
    except LimitError as error:
        raise ProofError(f"the terms: {error}") from None
    if found["pace_ms"] < 0 or found["entrants_most"] < 0 or found["entries_per_author"] < 0:
        raise ProofError("the terms: a negative pace or number of entries")
    if found == state.terms:
        raise ProofError("the terms are listed twice without a change")
    if not 0 < len(found["stages"]) <= STAGES_MOST:
        raise ProofError("the terms have no stage, or too many")
    stages = [
        StageTerms(**chain_fields_read(one, STAGE, f"stage {at}")) for at, one in enumerate(found["stages"], start=1)
    ]
    for at, stage in enumerate(stages, start=1):
        if stage.number != at or stage.format not in FORMATS or FORMATS[stage.format].is_play_off:
            raise ProofError(f"stage {at} has a wrong number or an unknown format")
        if wrong := next(FORMATS[stage.format].problems(stage), ""):
            raise ProofError(f"stage {at}: {wrong}")
        try:
            find(found["ruleset"]).validate(stage.players_per_table, found["options"])
        except (UnknownRuleset, OptionError, SeatError) as error:
            raise ProofError(f"the terms: {error}") from None
    if not all(isinstance(code, str) and code in TIE_BREAKS for code in found["tie_breaks"]):
        raise ProofError("the terms have an unknown tie-break")
    state.terms, state.stages = found, {stage.number: stage for stage in stages}


def _secret_link(state: ChainState, number: int, content: object) -> None:
    """Read the hash of a secret. The secret itself is published outside the chain."""
    found = chain_fields_read(content, {"luck": int, "commitment": str}, "a secret's hash")
    if found["luck"] != len(state.lucks) + 1 or (state.lucks and not (state.reopening or state.unlocked)):
        raise ProofError("a secret was committed neither before the entries were frozen nor when they were re-opened")
    state.lucks.append(Epoch(chain_digest_read(found["commitment"], "a secret's hash"), b""))
    state.unlocked = False


def _unlocked_link(state: ChainState, number: int, content: object) -> None:
    """Open entries again. A later link freezes them again, for a new luck."""
    chain_fields_read(content, {}, "the re-opening of entries")
    if not state.frozen or state.playing:
        raise ProofError("entries were re-opened that were not closed, or after the start")
    state.people |= {f"entry/{entry}": one.name for entry, one in state.entries.items()}
    state.entries.clear()
    state.kin = [group for group in state.kin if group not in state.authors]
    state.authors.clear()
    state.unlocked, state.expected = True, "secret"


def _frozen_link(state: ChainState, number: int, content: object) -> None:
    """Freeze the entries with their packages. Once a stage has begun, there may be no new entries."""
    found = chain_fields_read(content, {"luck": int, "entries": list}, "the entries")
    if not state.stages or found["luck"] != len(state.lucks) or state.lucks[-1].entries is not None:
        raise ProofError("entries were frozen twice, or before the terms or the hash of a secret")
    if not state.playing:
        for one in found["entries"]:
            _enter(state, one)
    there = [
        {"entry": entry, "package": one.package, "name": one.name} | ({"place": one.place} if one.place else {})
        for entry, one in sorted(state.entries.items())
        if one.out is None
    ]
    if found["entries"] != there:
        raise ProofError("the frozen entries are not those that entered, in the order of their numbers")
    state.lucks[-1].entries = {number: one.package for number, one in sorted(state.entries.items()) if one.out is None}


def _nonce_link(state: ChainState, number: int, content: object) -> None:
    """Read a nonce that somebody added to the luck."""
    found = chain_fields_read(content, {"luck": int, "text": str, "by": dict}, "what was added to the luck")
    if found["luck"] != len(state.lucks) or state.lucks[-1].entries is None or state.lucks[-1].used:
        raise ProofError("a text was added to the luck before the entries were frozen, or after a draw from it")
    if not found["text"]:
        raise ProofError("the text that was added to the luck is empty")
    state.person(found["by"], "what was added to the luck")
    state.lucks[-1].nonces.append(found["text"])


def _late_link(state: ChainState, number: int, content: object) -> None:
    stage = state.stage
    if stage.terms.number != 1 or not stage.kind.draws_by_standings or 2 * stage.drawn > stage.terms.rounds:
        raise ProofError("a late entry, although no late entries are taken")
    _enter(state, content)


def _back_link(state: ChainState, number: int, content: object) -> None:
    found = chain_fields_read(content, {"entry": int}, "an entry that came back")
    one = proof_entry_of(state, found["entry"])
    if one.left is None or one.struck is not None or found["entry"] in state.held.out:
        raise ProofError(f"entry {found['entry']} came back although it had not left, or was excluded")
    one.left = None
    state.settle_people()


def _left_link(state: ChainState, number: int, content: object) -> None:
    found = chain_fields_read(content, {"entry": int, "why": str}, "an entry that left")
    one = proof_entry_of(state, found["entry"])
    if one.out is not None or found["why"] not in WHY:
        raise ProofError(f"entry {found['entry']} left twice, or for an unknown reason")
    if found["why"] == "forfeits" and _forfeits(state, found["entry"]) <= FORFEITS_ALLOWED:
        raise ProofError(f"entry {found['entry']} was withdrawn for forfeits, but has too few")
    if not state.playing:
        # An entry that left after the freeze did not take part, so the standings leave it out.
        del state.entries[found["entry"]]
        state.people[f"entry/{found['entry']}"] = one.name
        return
    if found["why"] == "withdrawn":
        one.left = number
    else:
        one.struck = number
        proof_entry_shut_out(state, found["entry"])
    state.settle_people()


def _versions_link(state: ChainState, number: int, content: object) -> None:
    """Update the packages of entries. The new packages play from the round that begins next."""
    found = chain_fields_read(content, {"entries": list}, "new versions")
    begun = {one.stage for one in state.rounds.values() if one.begun}
    updates = state.terms.get("new_versions")
    if updates is None or not begun or (updates == BETWEEN_STAGES and state.stage.terms.number in begun):
        raise ProofError("bots were updated although the terms do not allow it")
    last = 0
    for one in found["entries"]:
        claimed = chain_fields_read(one, {"entry": int, "package": str}, "a new version")
        entry, package = (
            proof_entry_of(state, claimed["entry"]),
            chain_digest_read(claimed["package"], "a new version's package"),
        )
        if claimed["entry"] <= last or entry.out is not None or entry.package == package:
            raise ProofError(
                f"entry {claimed['entry']} was updated twice, to the version that it had, or after it was out"
            )
        last = claimed["entry"]
        entry.update(package, number)
    if not last:
        raise ProofError("the list of updated bots is empty")
    state.expected = "round or begun"


def _renamed_link(state: ChainState, number: int, content: object) -> None:
    found = chain_fields_read(content, {"whose": str, "name": str}, "a name")
    name, whose = chain_digest_read(found["name"], "a name's digest"), found["whose"]
    entry = state.entries.get(_entry_number(whose))
    if entry is not None:
        entry.name = name
    elif whose in state.people:
        state.people[whose] = name
    else:
        raise ProofError(f"{whose!r:.40} was renamed, but is unknown")


def proof_entry_shut_out(state: ChainState, entry: int) -> None:
    """Allow an entry that is out to forfeit its drawn matches that are not finished. A stand-in plays in its place."""
    open_ = {one.match for one in state.tables.values() if one.state is TableState.OPEN and entry in one.seating}
    state.shut_out.setdefault(entry, set()).update(open_)


def _enter(state: ChainState, content: object) -> None:
    placed = {"place": int} if isinstance(content, dict) and "place" in content else {}
    found = chain_fields_read(content, {"entry": int, "package": str, "name": str, **placed}, "an entry")
    if found["entry"] in state.entries or len(state.entries) >= ENTRIES_MOST:
        raise ProofError(f"entry {found['entry']} entered twice, or there are too many entries")
    state.people.pop(f"entry/{found['entry']}", None)
    package, name = (
        chain_digest_read(found["package"], "an entry's package"),
        chain_digest_read(found["name"], "an entry's name"),
    )
    if found.get("place", 1) < 1:
        raise ProofError(f"entry {found['entry']} has an invalid place on the ladder")
    state.entries[found["entry"]] = Entered(package, name, found.get("place"))


def _entry_number(whose: str) -> int:
    kind, _, number = whose.partition("/")
    return int(number) if kind == "entry" and number.isdecimal() and len(number) < 16 else -1


def _forfeits(state: ChainState, entry: int) -> int:
    """Count the matches that the entry forfeited by its own faults, and that no ruling voids or replaces."""
    held = state.held
    return sum(
        seat.entrant == entry and seat.forfeited and entry in state.at_fault.get(table.match, ())
        for table in state.tables.values()
        if table.state is TableState.FINISHED and table.match not in held.void and table.match not in held.given
        for seat in table.seats
    )


HANDLERS: Final[Mapping[str, Callable[[ChainState, int, object], None]]] = {
    "terms": _terms_link,
    "secret": _secret_link,
    "unlocked": _unlocked_link,
    "frozen": _frozen_link,
    "nonce": _nonce_link,
    "late": _late_link,
    "back": _back_link,
    "left": _left_link,
    "versions": _versions_link,
    "renamed": _renamed_link,
}
