"""The chain of a proof: its links and their digests."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from matches.proof.reading import ProofError, moment

FIRST: Final = "0" * 64
DIGEST_LENGTH: Final = 64


@dataclass(frozen=True, slots=True)
class Link:  # frozen: chain link
    """One link; ``content`` is the text of its JSON."""

    number: int
    kind: str
    at: str
    content: str
    previous: str

    @property
    def digest(self) -> str:
        lines = self.previous, str(self.number), self.kind, self.at, self.content
        return sha256("\n".join(lines).encode("ascii")).hexdigest()


def canonical(content: object) -> str:
    """Return ``content`` as the one text of JSON that it has.

    Raises:
        ValueError: it holds NaN or an infinity.
    """
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def name_digest(salt: str, name: str) -> str:
    """Return what the chain says of a name: the SHA-256, in hexadecimal, of the canonical JSON list of salt and name.
    Without the salt, which is random, nobody can try names on it."""
    return sha256(canonical([salt, name]).encode("ascii")).hexdigest()


def fault_digest(contents: Mapping[str, Any]) -> str:
    """Return what the chain says of the contents of a fault, which only its author sees."""
    return sha256(canonical(dict(contents)).encode("ascii")).hexdigest()


def check_link(link: Link, last: Link, kinds: Collection[str]) -> None:
    """Check that ``link`` follows ``last``, whose number is 0 before the first.

    Raises:
        ProofError: it does not, or is of a kind that does not exist.
    """
    if link.number != last.number + 1:
        raise ProofError(f"a link is missing, doubled or moved: number {last.number + 1} belongs here")
    if link.previous != (last.digest if last.number else FIRST):
        raise ProofError("it does not follow the link before: one of them was changed, dropped or moved")
    moment(link.at, "the time when it happened")
    if link.at < last.at:
        raise ProofError("it is told to have happened before the link before it")
    if link.kind not in kinds:
        raise ProofError("there is no such kind of link")
