"""Replay a chain link by link. Check each digest, draw and result, and the consequences of each ruling."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Final

from games.dealer import block_seed
from matches.proof.chain import Fields, Link, ProofError, chain_fields_read, chain_link_check, chain_place_text
from matches.proof.match_result import RESULT, MatchClaim, Watcher, proof_match_result_replayed
from tournaments.facts import SeatFact, TableState
from tournaments.proof import entry_links, organiser_links, round_links, ruling_links
from tournaments.proof.state import ChainState, Place

PLACE: Final[Fields] = {"round": int, "table": int, "attempt": int}


def proof_replay_result(state: ChainState, number: int, content: object, records: Iterator[bytes]) -> None:
    """Check the result of a drawn match. The next records that ``records`` yields are those of its games."""
    found = chain_fields_read(content, {**PLACE, **RESULT}, "a result")
    where: Place = (found["round"], found["table"], found["attempt"])
    table = state.table_at(where)
    if table is None:
        raise ProofError(f"{chain_place_text(where)}: a result of a match that was not drawn")
    if table.state is TableState.FINISHED:
        raise ProofError(f"{chain_place_text(where)}: its result is listed twice")
    if table.state is TableState.CANCELLED:
        raise ProofError(f"{chain_place_text(where)}: it has a result although it was cancelled")
    # A superseded match may finish later, when its round no longer exists.
    played = state.rounds.get(table.round)
    if where not in state.lost and (played is None or not played.begun):
        raise ProofError(f"{chain_place_text(where)}: it was played before its round began")
    terms = state.stages[state.stage_of[table.match]]
    key = ("match", *where[:2]) if where[2] == 1 else ("match", *where)
    match = MatchClaim(
        label=chain_place_text(where),
        seating=table.seating,
        ruleset=state.terms["ruleset"],
        options=state.terms["options"],
        blocks=terms.blocks,
        stopping=terms.stopping,
        secret=block_seed(state.luck_numbered(state.luck_of[table.match]), *key),
        may_bar=[seat for seat, one in enumerate(table.seating) if table.match in state.shut_out.get(one, ())],
        watch=state.watch(chain_place_text(where), table.match, table.seating),
    )
    judged = proof_match_result_replayed(match, {name: found[name] for name in RESULT}, records)
    seats = tuple(
        SeatFact(entry, one.score, one.points, one.wins, one.faulty_games, forfeited, one.places)
        for entry, one, forfeited in zip(table.seating, judged.totals, judged.forfeited, strict=True)
    )
    state.table_set(replace(table, state=TableState.FINISHED, seats=seats, blocks=judged.blocks))
    if judged.own_faults:
        state.at_fault[table.match] = judged.own_faults
    state.matches += 1
    state.games += judged.games


HANDLERS: Final = {
    **organiser_links.HANDLERS,
    **entry_links.HANDLERS,
    **round_links.HANDLERS,
    **ruling_links.HANDLERS,
}
KINDS: Final = frozenset({*HANDLERS, "result"})
# The errors that are raised if a link refers to something that does not exist. The user sees a message, no traceback.
MALFORMED: Final = (LookupError, TypeError, ValueError, AssertionError, AttributeError, ArithmeticError)
OF_A_REOPENING: Final = frozenset({"secret", "frozen"})
AFTER_THE_END: Final = frozenset({"ruling", "effects", "standings", "renamed", "edited"})


def proof_replayed(
    links: Iterable[tuple[Link, object]],
    secrets: Sequence[bytes],
    records: Iterator[bytes],
    witness: Watcher | None = None,
    noted: str | None = None,
) -> ChainState:
    """Return the state of the tournament after all ``links``. Each link comes with its parsed content.

    ``noted`` is the digest of a link. The names after this link are stored in ``ChainState.noted``.

    Raises:
        ProofError: a link is wrong. The message has the number of the first wrong link.
    """
    state, last = ChainState(witness=witness), Link(0, "", "", "", "")
    for link, content in links:
        try:
            chain_link_check(link, last, KINDS)
            proof_link_apply(state, link, content, secrets, records)
        except ProofError as error:
            raise ProofError(f"link {link.number} ({link.kind:.20}): {error}") from None
        except MALFORMED as error:
            kind = type(error).__name__
            raise ProofError(
                f"link {link.number} ({link.kind:.20}): it does not fit the links before it ({kind})"
            ) from None
        if noted is not None and link.digest == noted:
            state.noted = state.names
        last = link
    _check_end(state, secrets, records)
    return state


def proof_link_apply(
    state: ChainState, link: Link, content: object, secrets: Sequence[bytes], records: Iterator[bytes]
) -> None:
    """Apply the next link to the state after the links before it.

    The changes of a ruling to the draw are in the link after the ruling, and are checked with that link. If the ruling
    has no such link, ``ruling_links.proof_ruling_links_settle`` checks that it needs none.

    Raises:
        ProofError: the link does not follow from the links before it.
    """
    if link.kind != "effects" and not (state.reopening and link.kind in OF_A_REOPENING):
        ruling_links.proof_ruling_links_settle(state)
    if state.expected and link.kind not in state.expected.split(" or "):
        raise ProofError(f"{state.expected!r} is missing here")
    state.expected = ""
    if state.over and link.kind not in AFTER_THE_END:
        raise ProofError("there are links after the end of the tournament")
    if link.number == 1 and link.kind != "terms":
        raise ProofError("the chain does not begin with the terms")
    if link.kind == "result":
        proof_replay_result(state, link.number, content, records)
        return
    HANDLERS[link.kind](state, link.number, content)
    if link.kind == "secret":
        _reveal(state, secrets)


def _reveal(state: ChainState, secrets: Sequence[bytes]) -> None:
    number = len(state.lucks)
    if number > len(secrets):
        raise ProofError("its secret is missing")
    if sha256(secrets[number - 1]).hexdigest() != state.lucks[-1].commitment:
        raise ProofError("its secret does not have the hash that was published")
    state.lucks[-1].secret = secrets[number - 1]


def _check_end(state: ChainState, secrets: Sequence[bytes], records: Iterator[bytes]) -> None:
    ruling_links.proof_ruling_links_settle(state)
    if state.expected:
        raise ProofError(f"the chain is cut short: {state.expected!r} is missing")
    if not state.over:
        raise ProofError("the tournament had not ended when this proof was taken: download the proof again once it has")
    if len(secrets) != len(state.lucks):
        raise ProofError("there are more secrets than were committed")
    if next(records, None) is not None:
        raise ProofError("there are records without a result")
