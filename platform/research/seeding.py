"""Derive the seeds of games from the seed of an environment."""

from secrets import token_bytes
from typing import Final

from games.dealer import SEED_BYTES, block_seed

KEY: Final = b"pecking research"


class Seeds:
    """The seeds of consecutive games. After ``begin(7)`` they are ``block_seed(b"pecking research", 7, k)`` for k = 0,
    1, 2, ...; before that, they come from the system's random generator.
    """

    def __init__(self) -> None:
        self._seed: int | None = None
        self._games = 0

    def begin(self, seed: int) -> None:
        """Restart with this seed."""
        self._seed, self._games = int(seed), 0

    def next(self) -> bytes:
        """Return the seed of the next game."""
        if self._seed is None:
            return token_bytes(SEED_BYTES)
        self._games += 1
        return block_seed(KEY, self._seed, self._games - 1)


def seeding_game_seed(seed: bytes | str) -> bytes:
    """Return the seed of a game from 16 bytes, or from their hexadecimal digits as in a record."""
    return bytes.fromhex(seed) if isinstance(seed, str) else seed
