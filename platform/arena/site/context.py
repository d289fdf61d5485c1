"""Template context of every page: the theme, the state of the system, and the number of unread notices."""

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
    """Return "light", "dark", or "" for the system's preference."""
    chosen = request.COOKIES.get(COOKIE, "")
    return chosen if chosen in THEMES else ""


def site_theme_remember(response: HttpResponse, *, theme: str) -> None:
    """Store ``theme`` for a year. Any other value means the system's preference."""
    if theme in THEMES:
        # Not HttpOnly: the page's script writes the cookie too. It is not secret.
        response.set_cookie(COOKIE, theme, max_age=YEAR, samesite="Lax")
    else:
        response.delete_cookie(COOKIE, samesite="Lax")


def site_context_frame(request: HttpRequest) -> dict[str, Any]:
    """Return the context of the page frame. ``system`` and ``unread`` are computed only if a template uses them.
    ``plays_here`` tells that this site serves Python for browsers. ``single_sign_on`` is the label of the button for
    single sign-on, "" if the site has none.
    """
    return {
        "theme": site_theme_of(request),
        "system": SimpleLazyObject(matches_system_status_cached),
        "unread": SimpleLazyObject(lambda: unread_notices_label(request.user)),
        "privacy_url": settings.PRIVACY_URL,
        "contact_url": settings.CONTACT_URL,
        "plays_here": bool(pyodide.pyodide_address()),
        "single_sign_on": settings.OIDC_URL and settings.OIDC_NAME,
    }
