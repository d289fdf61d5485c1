"""What views read from a request."""

from typing import cast

from django.contrib.auth.models import AbstractUser
from django.http import HttpRequest


def signed_in(request: HttpRequest) -> AbstractUser:
    """Return the user of a view behind ``login_required``."""
    return cast(AbstractUser, request.user)
