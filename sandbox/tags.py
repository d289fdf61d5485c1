"""What marks a turn, so that an answer can be given to no other."""

import os
from collections.abc import Iterator

from .inside import wire


def tags() -> Iterator[bytes]:
    """Yield bytes that nobody can guess. They are fetched for many turns at a time: the kernel is slower to ask."""
    while True:
        some = os.urandom(32 * wire.TAG)
        for at in range(0, len(some), wire.TAG):
            yield some[at : at + wire.TAG]
