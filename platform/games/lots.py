"""Lots drawn from a tournament's luck (see ``games.luck``): fixed before it begins, open to anyone's check later."""

from collections.abc import Iterable
from hashlib import blake2b
from typing import Final

LOT_BYTES: Final = 8


def lot(secret: bytes, purpose: str, entrant: int) -> bytes:
    """Return the lot of an entrant for one purpose ("seeding", "tie"); the lower one goes first.

    blake2b of ``purpose/entrant`` in ASCII, eight bytes, keyed with the blake2b digest of the secret.
    """
    return blake2b(f"{purpose}/{entrant}".encode(), key=blake2b(secret).digest(), digest_size=LOT_BYTES).digest()


def lots_drawn(secret: bytes, purpose: str, entrants: Iterable[int]) -> list[int]:
    """Return the ``entrants`` in the order of their lots.

    >>> lots_drawn(b"secret", "seeding", [1, 2, 3])
    [3, 1, 2]
    """
    return sorted(entrants, key=lambda entrant: (lot(secret, purpose, entrant), entrant))
