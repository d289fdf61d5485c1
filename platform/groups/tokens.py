"""Tokens of invitations: long ones for links, short ones to type, and the digests that are kept of them."""

import secrets
import string
from typing import Final

from django.conf import settings
from django.utils.crypto import salted_hmac

from web.limits import FailedGuesses

LINK_BYTES: Final = 24
CODE_LETTERS: Final = 8  # 39 bits: guesses are limited (``GUESSES``), and codes expire
SLIP_LETTERS: Final = 10
LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # none looks like another
BLOCK: Final = 4  # letters between two hyphens
CODE_MOST: Final = 16  # letters; what is longer is the token of a link
GUESSES: Final = FailedGuesses("groups", "code")
_SALT: Final = "groups.invitation"


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
