"""The dealer: derive all of a game's chance from one seed with keyed blake2b (RFC 7693)."""

import json
from hashlib import blake2b
from typing import Final

from games.chance import Chance

SEED_BYTES: Final = 16
_json: Final = json.JSONEncoder(separators=(",", ":")).encode  # json.dumps() would create an encoder each time


class Dealer:
    """Answers requests for chance from a 16-byte seed. An answer depends only on the seed and the request. A cache
    saves time.

    The block of a key such as ``dice/1/4/0/0`` is the 64-byte blake2b digest of its ASCII text, keyed with the seed.

    Raises:
        ValueError: the seed is not 16 bytes.
    """

    __slots__ = ("_blocks", "_keyed", "seed")

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed is {SEED_BYTES} bytes, not {len(seed)}")
        self.seed = seed
        self._keyed = blake2b(key=seed)  # copied for each block, which takes half the time of creating it
        self._blocks: dict[str, bytes] = {}

    def deal(self, request: Chance) -> str:
        """Return the text of the chance action that answers ``request``."""
        return request.draw(self)

    def block(self, key: str) -> bytes:
        """Return 64 uniform bytes that depend only on the seed and ``key``."""
        block = self._blocks.get(key)
        if block is None:
            keyed = self._keyed.copy()
            keyed.update(key.encode("ascii"))
            block = self._blocks[key] = keyed.digest()
        return block


def block_seed(secret: bytes, *key: int | str) -> bytes:
    """Return the 16-byte seed that belongs to ``key`` under ``secret``. It is unpredictable without the secret.

    Raises:
        ValueError: the secret is empty.
    """
    if not secret:
        raise ValueError("a secret must not be empty")
    inner = blake2b(secret).digest()
    return blake2b(_json(key).encode(), key=inner, digest_size=SEED_BYTES).digest()
