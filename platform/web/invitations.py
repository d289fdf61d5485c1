"""Links and codes that let people in: their tokens, and the rows that count how often they may be used."""

import secrets
import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.crypto import salted_hmac

from web.database import database_now
from web.limits import FailedGuesses, too_many

LINK_BYTES: Final = 24
CODE_LETTERS: Final = 8  # 39 bits: guesses are limited (``web.invitations``), and codes expire
SLIP_LETTERS: Final = 10
LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # none looks like another
BLOCK: Final = 4  # letters between two hyphens
CODE_MOST: Final = 16  # letters; what is longer is the token of a link
_SALT: Final = "groups.invitation"  # stored digests depend on it


class LimitedInvitation(models.Model):
    """A way in. Of its token only ``digest`` is kept: HMAC-SHA256 with the site's key, in hexadecimal, so that a short
    code cannot be looked for in a copy of the database. ``uses_left`` counts down to 0 from ``uses_most``."""

    digest = models.CharField(max_length=64, unique=True)
    uses_most = models.PositiveIntegerField()
    uses_left = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True


def holding() -> Q:
    """Return which invitations let somebody in now."""
    return Q(revoked_at=None, uses_left__gte=1, expires_at__gt=database_now())


def use_up(invitation: LimitedInvitation) -> bool:
    """Use it once more in one UPDATE: of two at once the last use goes to one. False if it does not hold any more."""
    rows = type(invitation)._default_manager.filter(holding(), pk=invitation.pk)
    return bool(rows.update(uses_left=F("uses_left") - 1))


def link_token() -> str:
    """Return a new token for a link."""
    return secrets.token_urlsafe(LINK_BYTES)


def code_token(letters: int = CODE_LETTERS) -> str:
    """Return a new code of so many letters, as it is printed: ``K7QF-2MXR``."""
    code = "".join(secrets.choice(LETTERS) for _ in range(letters))
    return "-".join(code[at : at + BLOCK] for at in range(0, letters, BLOCK))


def canonical(typed: str) -> str:
    """Return the token in what somebody typed or pasted: a code in any case and with any hyphens and spaces, a token of
    a link, or the address that ends with one.

    >>> canonical(" k7qf 2mxr "), canonical("https://example.org/join/K7QF-2MXR/")
    ('K7QF2MXR', 'K7QF2MXR')
    """
    last = typed.strip().rstrip("/").rpartition("/")[2]
    code = "".join(letter for letter in last if letter not in string.whitespace + "-\N{EN DASH}")
    return code.upper() if len(code) <= CODE_MOST else last


def digests_of(token: str) -> list[str]:
    """Return what may be kept of a token: first what is kept of a new one, then the same by keys that were rotated."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    text = canonical(token)
    return [salted_hmac(_SALT, text, secret=key, algorithm="sha256").hexdigest() for key in keys]


def digest_of(token: str) -> str:
    """Return what is kept of a new token: HMAC-SHA256 in hexadecimal."""
    return digests_of(token)[0]


GUESSES: Final = FailedGuesses("groups", "code")  # one count for groups and teams


@dataclass(frozen=True, slots=True)
class OpenedInvitation:
    """What a visitor has opened last: kept in the session under ``name`` as digests, so that no further address has the
    token in it, and it is still there after signing up. ``found`` returns the invitation of digests, if it holds."""

    name: str
    found: Callable[[Sequence[str]], Any]

    def opens(self, request: HttpRequest, token: str) -> bool:
        """Keep what the token opens; count one that opens nothing."""
        digests = digests_of(token)
        if self.found(digests) is None:
            GUESSES.count(request)
            return False
        request.session[self.name] = digests
        return True

    def followed(self, request: HttpRequest, token: str, *, page: str, invalid: str) -> HttpResponse:
        """Return the answer to a link with this token: on to ``page``, or the template ``invalid`` with 404."""
        if not GUESSES.may_try(request):
            return too_many(request, GUESSES.seconds_left(request))
        response = redirect(page) if self.opens(request, token) else render(request, invalid, status=404)
        response["Referrer-Policy"] = "no-referrer"
        return response

    def digests(self, request: HttpRequest) -> list[str]:
        """Return what was opened; empty if nothing was."""
        opened: list[str] = request.session.get(self.name, [])
        return opened

    def close(self, request: HttpRequest) -> None:
        """Forget it."""
        request.session.pop(self.name, None)
