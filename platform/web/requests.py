"""What views read from a request."""

from typing import cast

from django.contrib.auth.models import AbstractUser
from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def signed_in(request: HttpRequest) -> AbstractUser:
    """Return the user of a view behind ``login_required``."""
    return cast(AbstractUser, request.user)


def way_back(request: HttpRequest) -> str:
    """Return the page of this site from which a form was sent, as its field ``next`` has it; "/" without one."""
    back = request.POST.get("next", "")
    allowed = url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure())
    return back if allowed else "/"
