"""Secrets of hooks, and signatures by the Standard Webhooks specification.

https://github.com/standard-webhooks/standard-webhooks: HMAC-SHA256 over ``id.timestamp.body``, in base64, behind
``v1,``; several signatures with spaces between. A secret is 32 bytes in base64 behind ``whsec_``.
"""

import hmac
import secrets
from base64 import b64decode, b64encode
from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from django.utils.crypto import salted_hmac

PREFIX: Final = "whsec_"
SALT_BYTES: Final = 32


def salt_new() -> str:
    """Return a new salt, of which a secret is made."""
    return secrets.token_urlsafe(SALT_BYTES)


def secret_of(salt: str) -> str:
    """Return the secret of a hook with ``salt``: who has the database without the site's key cannot sign."""
    return PREFIX + b64encode(salted_hmac("hooks.secret", salt, algorithm="sha256").digest()).decode()


def signature(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """Return the signature of a message; ``timestamp`` in seconds since 1970.

    Raises:
        ValueError: ``secret`` is none.
    """
    key = b64decode(secret.removeprefix(PREFIX), validate=True)
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + b64encode(hmac.new(key, signed, sha256).digest()).decode()


def headers_signed(salts: Sequence[str], message_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """Return the headers of a message that is signed with the secret of each of ``salts``."""
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signature(secret_of(salt), message_id, timestamp, body) for salt in salts),
    }
