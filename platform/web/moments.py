"""What everyone sees alike and nobody counts the changes of: made once in a moment, however many ask."""

from collections.abc import Callable
from hashlib import sha256
from typing import Final, TypeVar

from django.core.cache import caches
from django.utils.translation import get_language

MOMENT: Final = 2  # seconds; pages that keep themselves fresh ask again every eight
Made = TypeVar("Made")


def of_the_moment(name: str, make: Callable[[], Made]) -> Made:
    """Return what ``make`` made in the last two seconds under ``name`` and in the reader's language, or makes now.
    ``name`` says all that it depends on but time and language; what is None is not kept."""
    cache = caches["optional"]
    key = f"moment/1/{sha256(f'{name}/{get_language()}'.encode()).hexdigest()}"
    kept: Made | None = cache.get(key)
    if kept is None:
        kept = make()
        cache.set(key, kept, MOMENT)
    return kept
