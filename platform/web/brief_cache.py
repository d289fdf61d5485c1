"""Cache values for two seconds: values that are the same for everybody and whose changes are not announced.

Anonymous visitors get pages from the page cache; this cache serves signed-in users.
"""

from collections.abc import Callable
from hashlib import sha256
from typing import Final, TypeVar

from django.core.cache import caches
from django.utils.translation import get_language

CACHED_SECONDS: Final = 2  # pages that reload parts do so every eight seconds
Computed = TypeVar("Computed")


def cached_briefly(name: str, compute: Callable[[], Computed]) -> Computed:
    """Return the value cached under ``name`` in the reader's language, or compute it.

    ``name`` must encode every input except the language. None is not cached.
    """
    cache = caches["optional"]
    key = f"moment/1/{sha256(f'{name}/{get_language()}'.encode()).hexdigest()}"
    found: Computed | None = cache.get(key)
    if found is None:
        found = compute()
        cache.set(key, found, CACHED_SECONDS)
    return found
