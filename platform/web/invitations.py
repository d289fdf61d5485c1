"""Invitation links and codes: their tokens, and the rows that count their remaining uses."""

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
from web.limits import FailedGuesses, limit_exceeded_response

LINK_BYTES: Final = 24
# Letters of a code. They have 39 bits. This is enough, because guesses are limited (``GUESSES``) and codes expire.
CODE_LETTERS: Final = 8
SLIP_LETTERS: Final = 10
LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # without letters that look alike
BLOCK: Final = 4  # letters between hyphens
CODE_MOST: Final = 16  # letters; a longer text is the token of a link
_SALT: Final = "groups.invitation"  # must not change: stored digests depend on it


class LimitedInvitation(models.Model):
    """An invitation. ``uses_left`` counts down from ``uses_most`` to 0.

    Only the ``digest`` of its token is stored: HMAC-SHA256 with the site's key, in hexadecimal, so that a short code
    cannot be found by trying all codes against a copy of the database.
    """

    digest = models.CharField(max_length=64, unique=True)
    uses_most = models.PositiveIntegerField()
    uses_left = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True


def invitation_usable() -> Q:
    """Return the condition that an invitation can be used now."""
    return Q(revoked_at=None, uses_left__gte=1, expires_at__gt=database_now())


def invitation_use(invitation: LimitedInvitation) -> bool:
    """Use an invitation once, in one UPDATE, so that only one of two concurrent requests gets the last use.

    Return False if the invitation is no longer valid.
    """
    rows = type(invitation)._default_manager.filter(invitation_usable(), pk=invitation.pk)
    return bool(rows.update(uses_left=F("uses_left") - 1))


def invitation_link_token() -> str:
    """Return a new token for a link."""
    return secrets.token_urlsafe(LINK_BYTES)


def invitation_code_token(letters: int = CODE_LETTERS) -> str:
    """Return a new code of ``letters`` letters in its printed form: ``K7QF-2MXR``."""
    code = "".join(secrets.choice(LETTERS) for _ in range(letters))
    return "-".join(code[at : at + BLOCK] for at in range(0, letters, BLOCK))


def invitation_token_canonical(typed: str) -> str:
    """Return the token in typed or pasted text.

    The text may be a code in any case and with any hyphens and spaces, a link, or the token of a link.

    >>> invitation_token_canonical(" k7qf 2mxr "), invitation_token_canonical("https://example.org/join/K7QF-2MXR/")
    ('K7QF2MXR', 'K7QF2MXR')
    """
    last = typed.strip().rstrip("/").rpartition("/")[2]
    code = "".join(letter for letter in last if letter not in string.whitespace + "-\N{EN DASH}")
    return code.upper() if len(code) <= CODE_MOST else last


def invitation_token_digests(token: str) -> list[str]:
    """Return the possible stored digests of a token: first with the current key, then with rotated keys."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    text = invitation_token_canonical(token)
    return [salted_hmac(_SALT, text, secret=key, algorithm="sha256").hexdigest() for key in keys]


def invitation_token_digest(token: str) -> str:
    """Return the digest of a new token: HMAC-SHA256 in hexadecimal."""
    return invitation_token_digests(token)[0]


GUESSES: Final = FailedGuesses("groups", "code")  # groups and teams share a count


@dataclass(frozen=True, slots=True)
class OpenedInvitation:
    """The invitation that a visitor opened last.

    The digests of its token are stored in the session under ``name``. So later URLs do not contain the token, and the
    invitation is still known after the visitor has signed up. ``found`` returns the valid invitation for digests, or
    None.
    """

    name: str
    found: Callable[[Sequence[str]], Any]

    def opens(self, request: HttpRequest, token: str) -> bool:
        """Store the invitation of the token in the session. Return False, and count a failure, if it is invalid."""
        digests = invitation_token_digests(token)
        if self.found(digests) is None:
            GUESSES.count(request)
            return False
        request.session[self.name] = digests
        return True

    def followed(self, request: HttpRequest, token: str, *, page: str, invalid: str) -> HttpResponse:
        """Answer a request for a link with ``token``.

        Redirect to ``page``, or render the template ``invalid`` with 404.
        """
        if not GUESSES.may_try(request):
            return limit_exceeded_response(request, GUESSES.seconds_left(request))
        response = redirect(page) if self.opens(request, token) else render(request, invalid, status=404)
        response["Referrer-Policy"] = "no-referrer"
        return response

    def digests(self, request: HttpRequest) -> list[str]:
        """Return the stored digests; empty if no invitation was opened."""
        opened: list[str] = request.session.get(self.name, [])
        return opened

    def close(self, request: HttpRequest) -> None:
        """Remove the invitation from the session."""
        request.session.pop(self.name, None)
