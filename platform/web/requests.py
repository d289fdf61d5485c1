"""Helpers with which views read a request."""

from collections.abc import Callable
from functools import wraps
from typing import Final, TypeAlias, cast
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.http import HttpRequest, HttpResponse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.csrf import csrf_failure
from django.views.decorators.csrf import csrf_exempt

View: TypeAlias = Callable[..., HttpResponse]
OWN: Final = ("same-origin", "none")  # values of Sec-Fetch-Site; "none" is the visitor's own navigation


def request_user(request: HttpRequest) -> AbstractUser:
    """Return the user of a view behind ``login_required``."""
    return cast(AbstractUser, request.user)


def request_way_back(request: HttpRequest) -> str:
    """Return the page of this site in the form field ``next``, from which the form was sent; "/" if there is none."""
    back = request.POST.get("next", "")
    allowed = url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure())
    return back if allowed else "/"


def visitor_choice_view(view: View) -> View:
    """Wrap a ``view`` that stores a choice in a cookie, so that its forms need no CSRF token.

    Public pages have no token, so that they can be cached. Requests from other sites get a 403.
    """

    @csrf_exempt
    @wraps(view)
    def checked(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if request.method == "POST" and not _sent_from_here(request):
            return csrf_failure(request, "sent by another site")
        return view(request, *args, **kwargs)

    return checked


def _sent_from_here(request: HttpRequest) -> bool:
    """Return whether a form was sent by this site, according to the browser's headers.

    A client without these headers is a program, which has no cookies of other people.
    """
    if (site := request.headers.get("Sec-Fetch-Site")) is not None:
        return site in OWN
    sender = request.headers.get("Origin") or request.headers.get("Referer")
    if not sender:
        return True
    try:
        host = urlsplit(sender).netloc
    except ValueError:
        return False
    return host == request.get_host() or sender in settings.CSRF_TRUSTED_ORIGINS
