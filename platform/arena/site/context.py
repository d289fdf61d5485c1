"""What every page's frame needs: the theme, the state of the system, and how many notices are unread."""

from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from matches.selectors import matches_system_status_cached
from notices.selectors import unread_notices_label
from web import pyodide

COOKIE: Final = "theme"
YEAR: Final = 365 * 24 * 3600
THEMES: Final = ("light", "dark")


def site_theme_of(request: HttpRequest) -> str:
    """Return "light", "dark", or "" for whatever the system prefers."""
    chosen = request.COOKIES.get(COOKIE, "")
    return chosen if chosen in THEMES else ""


def site_theme_remember(response: HttpResponse, *, theme: str) -> None:
    """Keep ``theme`` for a year; anything that is no theme goes back to the system's own."""
    if theme in THEMES:
        # The page's own script writes it too, so it is not HttpOnly; it is no secret.
        response.set_cookie(COOKIE, theme, max_age=YEAR, samesite="Lax")
    else:
        response.delete_cookie(COOKIE, samesite="Lax")


def frame(request: HttpRequest) -> dict[str, Any]:
    """Return ``theme`` and, computed only when a template uses them, ``system`` and ``unread``; the links
    that the operator gives the footer, whether browsers get Python here (``plays_here``), and what the button of
    ``single_sign_on`` says, "" without one.
    """
    return {
        "theme": site_theme_of(request),
        "system": SimpleLazyObject(matches_system_status_cached),
        "unread": SimpleLazyObject(lambda: unread_notices_label(request.user)),
        "privacy_url": settings.PRIVACY_URL,
        "contact_url": settings.CONTACT_URL,
        "plays_here": bool(pyodide.address()),
        "single_sign_on": settings.OIDC_URL and settings.OIDC_NAME,
    }
