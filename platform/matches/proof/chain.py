"""A link of the chain: what happened, as text whose bytes are exact, and the digest that ties it to all before it.

``digest`` is the SHA-256, in hexadecimal, of these lines in ASCII, each but the last ended by a line feed: ``previous``
(the digest of the link before, 64 zeros for the first), ``number`` (from 1 on, in decimal), ``kind``, ``at`` (UTC,
``2026-01-31T23:59:59.000000Z``) and ``content`` (a JSON object with sorted keys, without spaces, other characters than
ASCII as ``\\uXXXX``). Whoever noted a digest can tell later that nothing up to that link was changed.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

FIRST: Final = "0" * 64
DIGEST_LENGTH: Final = 64


@dataclass(frozen=True, slots=True)
class Link:
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
