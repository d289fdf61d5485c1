"""Links about who is not to meet whom: two, or all of a group."""

from collections.abc import Callable, Mapping
from typing import Final

from matches.proof.reading import ProofError, numbers, read
from tournaments.proof.entering import BY_AUTHOR, entered
from tournaments.proof.state import ChainState


def apart(state: ChainState, number: int, content: object) -> None:
    if isinstance(content, dict) and "entries" in content:
        _group_apart(state, content)
        return
    pair = _pair(state, content)
    if pair in state.apart:
        raise ProofError("two entries were put apart twice")
    state.apart.append(pair)


def meet(state: ChainState, number: int, content: object) -> None:
    if isinstance(content, dict) and "entries" in content:
        group = _group(state, read(content, {"entries": list}, "a group")["entries"])
        if group not in state.kin or group in state.authors:
            raise ProofError("a group was let meet that was not apart, or of which the terms say that it is")
        state.kin.remove(group)
        return
    pair = _pair(state, content)
    if pair not in state.apart:
        raise ProofError("two entries were let meet that were not apart")
    state.apart.remove(pair)


def _pair(state: ChainState, content: object) -> frozenset[int]:
    found = read(content, {"one": int, "other": int}, "a pair")
    if found["one"] >= found["other"]:
        raise ProofError("a pair is not given in order")
    for one in found.values():
        if state.playing:
            entered(state, one)
    return frozenset(found.values())


def _group_apart(state: ChainState, content: object) -> None:
    """Keep a group apart; those of an author take the place of those of the same author before one came late."""
    found = read(content, {"entries": list, "author": bool}, "a group")
    group = _group(state, found["entries"])
    if group in state.kin:
        raise ProofError("a group was put apart twice")
    if found["author"]:
        if state.terms.get("keep_apart") != BY_AUTHOR or not state.frozen:
            raise ProofError("bots of an author were kept apart where the terms do not say so")
        joined = [other for other in state.authors if other & group]
        if any(not other <= group for other in joined):
            raise ProofError("a bot is told to be of two authors")
        state.kin = [other for other in state.kin if other not in joined]
        state.authors = [*(other for other in state.authors if other not in joined), group]
    state.kin.append(group)


def _group(state: ChainState, claimed: object) -> frozenset[int]:
    members = numbers(claimed, "a group")
    if len(members) < 2 or sorted(set(members)) != members:
        raise ProofError("a group is not of two entries or more, in order")
    for one in members if state.frozen else ():
        entered(state, one)
    return frozenset(members)


HANDLERS: Final[Mapping[str, Callable[[ChainState, int, object], None]]] = {"apart": apart, "meet": meet}
