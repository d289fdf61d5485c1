"""What every page's frame needs to know."""

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from arena.site.selectors import system_status
from arena.site.theme import theme_of


def frame(request: HttpRequest) -> dict[str, Any]:
    """``theme`` and, counted only when a template asks, ``system``."""
    return {"theme": theme_of(request), "system": SimpleLazyObject(system_status)}
