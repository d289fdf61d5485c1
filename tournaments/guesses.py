"""How often one address of the network may try tokens of invitation links that do not hold.

Only what failed counts: a class that opens a link that holds, from behind one address, is not held up. While the cache
is away nobody is let in by a link, as with passwords.
"""

from typing import Final

from allauth.core.internal import ratelimit
from django.http import HttpRequest

APP: Final = "tournaments"
WHAT: Final = "invitation"
GUESSES: Final = {WHAT: "20/10m/ip"}


def may_guess(request: HttpRequest) -> bool:
    """Whether the asker has not failed too often of late."""
    left = ratelimit.consume(request, app=APP, action=WHAT, config=GUESSES, limit_get=True, dry_run=True)
    return left is not None


def guess_failed(request: HttpRequest) -> None:
    """Count one more token that does not hold."""
    ratelimit.consume(request, app=APP, action=WHAT, config=GUESSES, limit_get=True)
