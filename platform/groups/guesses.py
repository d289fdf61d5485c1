"""How often one address of the network may try codes and links that let nobody in.

Only what failed counts: a class behind one address that types a code that holds is not held up. While the cache is away
nobody is counted.
"""

from typing import Final

from allauth.core.internal import ratelimit
from django.http import HttpRequest

from web.limits import seconds_left

APP: Final = "groups"
WHAT: Final = "code"
GUESSES: Final = {WHAT: "20/10m/ip"}


def may_guess(request: HttpRequest) -> bool:
    """Tell whether the asker has not failed too often of late."""
    return _consume(request, dry_run=True)


def guess_failed(request: HttpRequest) -> None:
    """Count one more token that does not hold."""
    _consume(request, dry_run=False)


def seconds_to_wait(request: HttpRequest) -> int:
    """Return the seconds after which the asker may try again."""
    return seconds_left(request, app=APP, action=WHAT, config=GUESSES)


def _consume(request: HttpRequest, *, dry_run: bool) -> bool:
    try:
        left = ratelimit.consume(request, app=APP, action=WHAT, config=GUESSES, limit_get=True, dry_run=dry_run)
    except ConnectionError:
        return True
    return left is not None
