"""The proof of a league's season. It proves less than the proof of a tournament.

The chain has every match of the season with its seats, and either its result or a note that it was cancelled. Seeds,
records, series and faults are checked as in the proof of a tournament. The scheduler pairs bots by their ratings;
neither the pairings nor the ratings are checked. The chain is written when the proof is requested. So nobody can have
noted its head during the season.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final

from games.catalogue import UnknownRuleset, find
from games.dealer import block_seed
from games.ruleset import OptionError, SeatError
from matches.proof.chain import (
    Link,
    ProofError,
    chain_digest_read,
    chain_fields_read,
    chain_link_check,
    chain_numbers_read,
)
from matches.proof.match_result import RESULT, MatchClaim, proof_match_result_replayed

SEASON: Final = {"name": str, "ruleset": str, "options": dict, "commitment": str}
MEMBER: Final = {"entry": int, "package": str, "name": str}
MATCH: Final = {"number": int, "seats": list, "blocks": int, "stopping": dict}
KINDS: Final = frozenset({"season", "member", "match", "result", "called_off", "season_end"})
MEMBERS_MOST: Final = 100_000


@dataclass(slots=True)
class SeasonChain:
    """The state of a season after the links read so far.

    ``drawn`` is the match whose result or cancellation must come next.
    """

    terms: dict[str, Any] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    new: list[int] = field(
        default_factory=list
    )  # versions that were listed since the last match; they play in the next one
    reported: int = 0
    drawn: dict[str, Any] | None = None
    matches: int = 0
    games: int = 0
    over: bool = False


def season_proof_replayed(
    links: Iterable[tuple[Link, object]], secrets: Sequence[bytes], records: Iterator[bytes]
) -> SeasonChain:
    """Check the links, and return the season that they describe.

    Raises:
        ProofError: the first check that fails, with the number of its link.
    """
    season, last = SeasonChain(), Link(0, "", "", "", "")
    for link, content in links:
        try:
            chain_link_check(link, last, KINDS)
            _apply(season, link, content, secrets, records)
        except ProofError as error:
            raise ProofError(f"link {link.number} ({link.kind:.20}): {error}") from None
        last = link
    if not season.over:
        raise ProofError("the chain is cut short: the season does not end")
    if next(records, None) is not None:
        raise ProofError("there are records without a result")
    return season


def _apply(
    season: SeasonChain, link: Link, content: object, secrets: Sequence[bytes], records: Iterator[bytes]
) -> None:
    if season.over or (link.kind == "season") != (link.number == 1):
        raise ProofError("it is before the beginning of the season, or after its end")
    if (season.drawn is not None) != (link.kind in ("result", "called_off")):
        raise ProofError("a match must be followed by its result or its cancellation")
    match link.kind:
        case "season":
            _season_begin(season, content, secrets)
        case "member":
            _member(season, content)
        case "match":
            season.drawn = _match(season, content)
        case "result":
            _result(season, content, secrets[0], records)
        case "called_off":
            _is_drawn(season, chain_fields_read(content, {"number": int}, "a match called off"))
            season.drawn = None
        case "season_end":
            if chain_fields_read(content, {"matches": int}, "the end")["matches"] != season.reported:
                raise ProofError("matches are missing: there were more")
            if season.new:
                raise ProofError("a version is listed that never played")
            season.over = True


def _season_begin(season: SeasonChain, content: object, secrets: Sequence[bytes]) -> None:
    season.terms = chain_fields_read(content, SEASON, "the season")
    if len(secrets) != 1 or sha256(secrets[0]).hexdigest() != chain_digest_read(
        season.terms["commitment"], "the secret's hash"
    ):
        raise ProofError("the secret does not have the hash that was published")


def _member(season: SeasonChain, content: object) -> None:
    found = chain_fields_read(content, MEMBER, "a version that played")
    chain_digest_read(found["package"], "a version's package")
    whose = f"entry/{found['entry']}"
    if whose in season.names or len(season.names) >= MEMBERS_MOST:
        raise ProofError("a version is listed twice, or there are too many")
    season.names[whose] = chain_digest_read(found["name"], "a version's name")
    season.new.append(found["entry"])


def _match(season: SeasonChain, content: object) -> dict[str, Any]:
    found = chain_fields_read(content, MATCH, "a match")
    seats = chain_numbers_read(found["seats"], "its seats")
    if found["number"] != season.reported + 1:
        raise ProofError(f"match {season.reported + 1} is missing, or moved")
    if len(set(seats)) != len(seats) or any(f"entry/{one}" not in season.names for one in seats):
        raise ProofError(f"match {found['number']}: an unknown bot, or one in two seats")
    if [one for one in seats if one in season.new] != season.new:
        raise ProofError(f"match {found['number']}: a listed version does not play, or is out of order")
    season.new = []
    try:
        find(season.terms["ruleset"]).validate(len(seats), season.terms["options"])
    except (UnknownRuleset, OptionError, SeatError) as error:
        raise ProofError(f"match {found['number']}: {error}") from None
    season.reported += 1
    return found


def _is_drawn(season: SeasonChain, found: dict[str, Any]) -> dict[str, Any]:
    if season.drawn is None or found["number"] != season.drawn["number"]:
        raise ProofError("it is for another match than the previous link")
    return season.drawn


def _result(season: SeasonChain, content: object, secret: bytes, records: Iterator[bytes]) -> None:
    found = chain_fields_read(content, {"number": int, **RESULT}, "a result")
    drawn = _is_drawn(season, found)
    match = MatchClaim(
        label=f"match {drawn['number']}",
        seating=tuple(drawn["seats"]),
        ruleset=season.terms["ruleset"],
        options=season.terms["options"],
        blocks=drawn["blocks"],
        stopping=drawn["stopping"],
        secret=block_seed(secret, "match", drawn["number"]),
        may_bar=range(len(drawn["seats"])),
    )
    judged = proof_match_result_replayed(match, found, records)
    season.drawn = None
    season.matches += 1
    season.games += judged.games
