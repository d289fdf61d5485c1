"""What every page's frame needs to know."""

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from arena.site.theme import theme_of
from matches.selectors import system_lately


def frame(request: HttpRequest) -> dict[str, Any]:
    """Return ``theme`` and, counted only when a template asks, ``system``."""
    return {"theme": theme_of(request), "system": SimpleLazyObject(system_lately)}
