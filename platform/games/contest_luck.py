"""Where the luck of a contest comes from: what nobody could choose alone, mixed into the bytes that every seed follows.

Three parts are mixed. The secret is drawn and its SHA-256 published before entries close; the entries are frozen after
that; the nonces are given after the freeze. Who knows the secret before the freeze cannot know the entries, and
who knows both cannot know the nonces.

Lots of a draw follow from the luck: they are fixed before it begins, and anybody can check them later.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b, sha256
from typing import Final

TAG: Final = "pecking-order-luck/1"  # frozen: luck of a contest
LUCK_BYTES: Final = 32


def entries_digest(entries: Mapping[int, str]) -> str:
    """Return the digest of frozen entries: by number of the entry, the SHA-256 of the package it plays with, in
    hexadecimal.

    SHA-256, in hexadecimal, of the JSON list of ``[number, sha256]`` sorted by number, in ASCII without spaces:
    ``[[1,"ab..."],[2,"cd..."]]``.
    """
    return sha256(_json(sorted([number, package] for number, package in entries.items()))).hexdigest()


def contest_luck_mixed(secret: bytes, entries: str, nonces: Sequence[str] = ()) -> bytes:
    """Return the 32 bytes from which all seeds, draws and lots follow.

    blake2b (RFC 7693), 32 bytes, of the JSON list ``["pecking-order-luck/1", entries, [nonce, ...]]`` in ASCII without
    spaces (other characters as ``\\uXXXX``), keyed with the 64-byte blake2b digest of the secret. ``entries`` is an
    ``entries_digest``, ``nonces`` are in the order in which they were given. JSON keeps the fields apart: no two
    different lists have the same text.

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
    """Return the lot of an entrant for one purpose ("seeding", "tie"); the lower one goes first.

    blake2b of ``purpose/entrant`` in ASCII, eight bytes, keyed with the blake2b digest of the secret.
    """
    return blake2b(f"{purpose}/{entrant}".encode(), key=blake2b(secret).digest(), digest_size=LOT_BYTES).digest()


def contest_luck_lots_drawn(secret: bytes, purpose: str, entrants: Iterable[int]) -> list[int]:
    """Return the ``entrants`` in the order of their lots.

    >>> contest_luck_lots_drawn(b"secret", "seeding", [1, 2, 3])
    [3, 1, 2]
    """
    return sorted(entrants, key=lambda entrant: (contest_luck_lot(secret, purpose, entrant), entrant))
