"""The links of a proof's hash chain: digests, and strict parsing of contents, which may be hostile.

A content must have exactly the fields of its kind, with the right types.
"""

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final

from games.untrusted import UntrustedError, untrusted_field

HEX: Final = re.compile(r"[0-9a-f]{64}")
MOMENT: Final = "%Y-%m-%dT%H:%M:%S.%fZ"
NUMBER_MOST: Final = 2**53
OPTIONAL: Final = type(None)
Kind = type[Any] | tuple[type[Any], ...]
Fields = Mapping[str, Kind]


class ProofError(ValueError):
    """Raised when a proof is wrong. The text says what is wrong and where."""


def chain_fields_read(content: object, fields: Fields, what: str) -> dict[str, Any]:
    """Return ``content`` if it has exactly these fields.

    Raises:
        ProofError: a field is missing, unknown, or of another type.
    """
    try:
        found = {name: untrusted_field(content, name, kind) for name, kind in fields.items()}
    except UntrustedError as error:
        raise ProofError(f"{what}: {error}") from None
    assert isinstance(content, dict)  # noqa: S101  checked by ``untrusted_field``
    if foreign := sorted(content.keys() - fields.keys()):
        raise ProofError(f"{what}: {foreign[0]!r:.60} does not belong here")
    for name, value in found.items():
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) > NUMBER_MOST:
            raise ProofError(f"{what}: {name!r} is a number too large")
    return found


def chain_digest_read(value: object, what: str) -> str:
    """Return ``value`` if it is a SHA-256 in hexadecimal.

    Raises:
        ProofError: it is not.
    """
    if not isinstance(value, str) or not HEX.fullmatch(value):
        raise ProofError(f"{what} is not a SHA-256 in hexadecimal")
    return value


def chain_time_read(value: object, what: str) -> str:
    """Return ``value`` if it is a time as links have it: in UTC, to the microsecond.

    Raises:
        ProofError: it is not.
    """
    try:
        found = datetime.strptime(str(value), MOMENT).replace(tzinfo=UTC)
    except ValueError:
        raise ProofError(f"{what} is not a time") from None
    if found.strftime(MOMENT) != value:
        raise ProofError(f"{what} is not a time")
    return str(value)


def chain_numbers_read(value: object, what: str) -> list[int]:
    """Return ``value`` if it is a list of integers.

    Raises:
        ProofError: it is not.
    """
    if not isinstance(value, list) or not all(type(one) is int and abs(one) <= NUMBER_MOST for one in value):
        raise ProofError(f"{what} is not a list of integers")
    return value


def chain_place_read(value: object, what: str) -> tuple[int, int, int]:
    """Return ``value``, a list of three integers, as round, table and attempt.

    Raises:
        ProofError: it is not such a list.
    """
    found = chain_numbers_read(value, what)
    if len(found) != 3:
        raise ProofError(f"{what} is not a round, a table and an attempt")
    return found[0], found[1], found[2]


def chain_place_text(where: tuple[int, int, int]) -> str:
    """Return a label for a match, such as "round 2, table 1"."""
    label = f"round {where[0]}, table {where[1]}"
    return label if where[2] == 1 else f"{label}, attempt {where[2]}"


FIRST: Final = "0" * 64
DIGEST_LENGTH: Final = 64


@dataclass(frozen=True, slots=True)
class Link:  # frozen: chain link
    """One link. ``content`` is JSON text."""

    number: int
    kind: str
    at: str
    content: str
    previous: str

    @property
    def digest(self) -> str:
        lines = self.previous, str(self.number), self.kind, self.at, self.content
        return sha256("\n".join(lines).encode("ascii")).hexdigest()


def chain_canonical_json(content: object) -> str:
    """Return ``content`` as canonical JSON: equal contents give equal texts.

    Raises:
        ValueError: it contains NaN or an infinity.
    """
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def chain_name_digest(salt: str, name: str) -> str:
    """Return the digest of a name in the chain.

    It is the SHA-256, in hexadecimal, of the canonical JSON list of ``salt`` and ``name``. The random salt prevents
    readers from guessing the name.
    """
    return sha256(chain_canonical_json([salt, name]).encode("ascii")).hexdigest()


def chain_fault_digest(contents: Mapping[str, Any]) -> str:
    """Return the digest that the chain has of a fault's contents. Only the bot's author sees the contents."""
    return sha256(chain_canonical_json(dict(contents)).encode("ascii")).hexdigest()


def chain_link_check(link: Link, last: Link, kinds: Collection[str]) -> None:
    """Check that ``link`` follows ``last``. Before the first link, ``last`` has the number 0.

    Raises:
        ProofError: it does not follow, or its kind is unknown.
    """
    if link.number != last.number + 1:
        raise ProofError(f"a link is missing, doubled or moved: number {last.number + 1} belongs here")
    if link.previous != (last.digest if last.number else FIRST):
        raise ProofError("it does not follow the previous link: one of them was changed, dropped or moved")
    chain_time_read(link.at, "the time when it happened")
    if link.at < last.at:
        raise ProofError("its time is before that of the previous link")
    if link.kind not in kinds:
        raise ProofError("its kind is unknown")
