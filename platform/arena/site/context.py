"""What every page's frame needs to know."""

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from arena.site.theme import theme_of
from matches.selectors import SystemStatus, system_status
from web.moments import of_the_moment


def frame(request: HttpRequest) -> dict[str, Any]:
    """Return ``theme`` and, counted only when a template asks, ``system``."""
    return {"theme": theme_of(request), "system": SimpleLazyObject(_system)}


def _system() -> SystemStatus:
    return of_the_moment("system", system_status)
