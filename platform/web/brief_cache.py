"""Cache for two seconds what is the same for everyone and is announced by nothing, such as the line about the system.

Pages of anonymous visitors are in the page cache; this serves those who are signed in.
"""

from collections.abc import Callable
from hashlib import sha256
from typing import Final, TypeVar

from django.core.cache import caches
from django.utils.translation import get_language

CACHED_SECONDS: Final = 2  # pages that keep themselves fresh ask again every eight
Computed = TypeVar("Computed")


def cached_briefly(name: str, compute: Callable[[], Computed]) -> Computed:
    """Return the value that was cached under ``name`` in the reader's language, computing it on a miss. ``name`` must
    encode every input except language; None is not cached."""
    cache = caches["optional"]
    key = f"moment/1/{sha256(f'{name}/{get_language()}'.encode()).hexdigest()}"
    found: Computed | None = cache.get(key)
    if found is None:
        found = compute()
        cache.set(key, found, CACHED_SECONDS)
    return found
