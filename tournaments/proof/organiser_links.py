"""Links about acts of the organiser: edited settings, planned rounds, and bots that are kept apart."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from games.beats import Tempo
from matches.proof.chain import (
    OPTIONAL,
    Fields,
    ProofError,
    chain_digest_read,
    chain_fields_read,
    chain_numbers_read,
    chain_time_read,
)
from tournaments.formats.registry import FORMATS
from tournaments.proof.entry_links import BY_AUTHOR
from tournaments.proof.state import ChainState, proof_entry_of

PLACE_MOST: Final = 5000
EDITED: Final[Fields] = {
    "description": str,
    "entries_close_at": (str, OPTIONAL),
    "first_round_at": (str, OPTIONAL),
    "round_minutes": int,
    "time_zone": str,
    "has_round_review": bool,
    "publication": str,
    "audience": str,
    "categories": dict,  # category by entry, both as strings; the link may repeat the current values
}
PLANNED: Final[Fields] = {
    "stage": int,
    "place": int,
    "starts_at": (str, OPTIONAL),
    "premieres_at": (str, OPTIONAL),
    "tempo": str,
}
PUBLICATIONS: Final = frozenset({"everyone", "participants", "hidden"})
AUDIENCES: Final = frozenset({"public", "unlisted", "group"})
TEMPOS: Final = frozenset({"", *(tempo.value for tempo in Tempo)})


def proof_edited_link(state: ChainState, number: int, content: object) -> None:
    """Read an edit of settings that have no effect on results.

    Check only that the link is well-formed, and that the edit changes something.
    """
    names = content if isinstance(content, dict) else {}
    found = chain_fields_read(content, {name: EDITED[name] for name in names if name in EDITED}, "an edit")
    known = {name: value for name, value in state.edited.items() if name != "categories"}
    if not found or any(known.get(name, ...) == value for name, value in found.items()):
        raise ProofError("an edit has no changes")
    if "description" in found:
        chain_digest_read(found["description"], "the description's digest")
    if not all(one.isdecimal() and isinstance(name, str) for one, name in found.get("categories", {}).items()):
        raise ProofError("an edit has an invalid category of an entry")
    _times(found, ("entries_close_at", "first_round_at"))
    readers = found.get("publication", "everyone") in PUBLICATIONS and found.get("audience", "public") in AUDIENCES
    if found.get("round_minutes", 0) < 0 or not readers:
        raise ProofError("an edit has an invalid number of minutes or audience")
    state.edited |= found


def _round_planned_link(state: ChainState, number: int, content: object) -> None:
    """Read when a round is planned to begin and to be shown. This has no effect on results."""
    found = chain_fields_read(content, PLANNED, "the plan of a round")
    of_stage, place = found["stage"], found["place"]
    stage = state.stages.get(of_stage)
    if stage is None or not 0 <= place <= PLACE_MOST or (place == 0 and not FORMATS[stage.format].has_bracket):
        raise ProofError("a plan of a round that cannot exist")
    if found["tempo"] not in TEMPOS or (found["premieres_at"] is None) != (found["tempo"] == ""):
        raise ProofError("a planned premiere has an unknown tempo")
    _times(found, ("starts_at", "premieres_at"))
    if state.plans.get((of_stage, place)) == found:
        raise ProofError("the plan is listed twice without a change")
    state.plans[of_stage, place] = found


def _times(found: Mapping[str, Any], names: Iterable[str]) -> None:
    for name in names:
        if (value := found.get(name)) is not None:
            chain_time_read(value, f"{name!r}")


def _pair_apart_link(state: ChainState, number: int, content: object) -> None:
    if isinstance(content, dict) and "entries" in content:
        _group_apart(state, content)
        return
    pair = _pair(state, content)
    if pair in state.apart:
        raise ProofError("two entries were kept apart twice")
    state.apart.append(pair)


def _pair_meet_link(state: ChainState, number: int, content: object) -> None:
    if isinstance(content, dict) and "entries" in content:
        group = _group(state, chain_fields_read(content, {"entries": list}, "a group")["entries"])
        if group not in state.kin or group in state.authors:
            raise ProofError("a group may meet again that was not kept apart, or that the terms keep apart")
        state.kin.remove(group)
        return
    pair = _pair(state, content)
    if pair not in state.apart:
        raise ProofError("two entries may meet again that were not kept apart")
    state.apart.remove(pair)


def _pair(state: ChainState, content: object) -> frozenset[int]:
    found = chain_fields_read(content, {"one": int, "other": int}, "a pair")
    if found["one"] >= found["other"]:
        raise ProofError("the entries of a pair are not in order")
    for one in found.values():
        if state.playing:
            proof_entry_of(state, one)
    return frozenset(found.values())


def _group_apart(state: ChainState, content: object) -> None:
    """Keep the members of a group apart. If an author enters another bot, the larger group replaces the earlier one."""
    found = chain_fields_read(content, {"entries": list, "author": bool}, "a group")
    group = _group(state, found["entries"])
    if group in state.kin:
        raise ProofError("a group was kept apart twice")
    if found["author"]:
        if state.terms.get("keep_apart") != BY_AUTHOR or not state.frozen:
            raise ProofError("bots of an author were kept apart although the terms do not say so")
        joined = [other for other in state.authors if other & group]
        if any(not other <= group for other in joined):
            raise ProofError("a bot is listed for two authors")
        state.kin = [other for other in state.kin if other not in joined]
        state.authors = [*(other for other in state.authors if other not in joined), group]
    state.kin.append(group)


def _group(state: ChainState, claimed: object) -> frozenset[int]:
    members = chain_numbers_read(claimed, "a group")
    if len(members) < 2 or sorted(set(members)) != members:
        raise ProofError("a group does not have two or more entries, in order")
    for one in members if state.frozen else ():
        proof_entry_of(state, one)
    return frozenset(members)


HANDLERS: Final[Mapping[str, Callable[[ChainState, int, object], None]]] = {
    "edited": proof_edited_link,
    "planned": _round_planned_link,
    "apart": _pair_apart_link,
    "meet": _pair_meet_link,
}
