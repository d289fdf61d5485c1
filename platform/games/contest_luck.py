"""The luck of a contest: bytes that nobody could choose alone, and from which all its seeds, draws and lots follow.

Three parts are mixed: a secret, the entries and the nonces. Before entries close, the secret is drawn and its SHA-256
is published. Then the entries are frozen. Then the nonces are added. Someone who knows the secret before the freeze
cannot know the entries. Someone who knows the secret and the entries cannot know the nonces.

The lots of a draw follow from the luck: they are fixed before the draw begins, and anyone can verify them later.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b, sha256
from typing import Final

TAG: Final = "pecking-order-luck/1"  # frozen: luck of a contest
LUCK_BYTES: Final = 32


def entries_digest(entries: Mapping[int, str]) -> str:
    """Return the digest of frozen entries. ``entries`` maps the number of an entry to the SHA-256 of its package, in
    hexadecimal.

    The digest is the SHA-256, in hexadecimal, of the JSON list of ``[number, sha256]`` sorted by number, in ASCII
    without spaces: ``[[1,"ab..."],[2,"cd..."]]``.
    """
    return sha256(_json(sorted([number, package] for number, package in entries.items()))).hexdigest()


def contest_luck_mixed(secret: bytes, entries: str, nonces: Sequence[str] = ()) -> bytes:
    """Return the 32 bytes from which all seeds, draws and lots follow.

    They are the blake2b digest (RFC 7693, 32 bytes) of the JSON list ``["pecking-order-luck/1", entries, [nonce,
    ...]]`` in ASCII without spaces (other characters as ``\\uXXXX``), keyed with the 64-byte blake2b digest of the
    secret. ``entries`` is an ``entries_digest``; ``nonces`` are in the order in which they arrived. JSON separates the
    fields, so different parts never give the same text.

    Raises:
        ValueError: the secret is empty.
    """
    if not secret:
        raise ValueError("a secret must not be empty")
    canonical = _json([TAG, entries, list(nonces)])
    return blake2b(canonical, key=blake2b(secret).digest(), digest_size=LUCK_BYTES).digest()


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True).encode("ascii")


LOT_BYTES: Final = 8


def contest_luck_lot(secret: bytes, purpose: str, entrant: int) -> bytes:
    """Return the lot of an entrant for one purpose ("seeding", "tie"); the lowest lot goes first.

    It is the blake2b digest of ``purpose/entrant`` in ASCII, eight bytes, keyed with the blake2b digest of the secret.
    """
    return blake2b(f"{purpose}/{entrant}".encode(), key=blake2b(secret).digest(), digest_size=LOT_BYTES).digest()


def contest_luck_lots_drawn(secret: bytes, purpose: str, entrants: Iterable[int]) -> list[int]:
    """Return the ``entrants`` in the order of their lots.

    >>> contest_luck_lots_drawn(b"secret", "seeding", [1, 2, 3])
    [3, 1, 2]
    """
    return sorted(entrants, key=lambda entrant: (contest_luck_lot(secret, purpose, entrant), entrant))
