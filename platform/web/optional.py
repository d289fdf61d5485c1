"""Optional parts of a page. If one fails, the page is still shown, with a message in place of the part.

Ratings, luck, analyses, pictures and the status line are optional. ``optional`` marks the function that computes one,
and names a replacement. An outage of a server is not a failure of a part: pages answer it with 503.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from time import monotonic
from typing import Any, Final, ParamSpec, TypeVar

from django.db import DatabaseError, connection

from web.database import database_is_outage

logger = logging.getLogger(__name__)

Given = ParamSpec("Given")
Value = TypeVar("Value")
RETRY_SECONDS: Final = 600  # seconds after which the same failure is logged again
LOGGED_MOST: Final = 500  # failures that are stored, so that they are not logged again
INPUT_MOST: Final = 300  # characters of an input in the log

_logged: dict[tuple[str, str, str], float] = {}


@dataclass
class OptionalPart:
    """Computes a part with ``make``. If that fails, computes the replacement with ``without``, which takes the same
    arguments.
    """

    name: str
    make: Callable[..., Any]
    without: Callable[..., Any]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return self.make(*args, **kwargs)
        except Exception as error:
            # A failed transaction cannot run further queries.
            if database_is_outage(error) or (isinstance(error, DatabaseError) and connection.in_atomic_block):
                raise
            self._log(error, f"{args!r} {kwargs!r}"[:INPUT_MOST])
            return self.without(*args, **kwargs)

    def _log(self, error: Exception, given: str) -> None:
        """Log the failure with its input, at most once in ``RETRY_SECONDS``."""
        key, now = (self.name, type(error).__name__, given), monotonic()
        if now < _logged.get(key, 0):
            return
        _logged.pop(key, None)
        _logged[key] = now + RETRY_SECONDS
        if len(_logged) > LOGGED_MOST:
            _logged.pop(next(iter(_logged)), None)
        logger.error("%s cannot be computed, and is left out, for %s", self.name, given, exc_info=error)


PARTS: Final[dict[str, OptionalPart]] = {}


def optional(name: str, without: Callable[..., Any]) -> Callable[[Callable[Given, Value]], Callable[Given, Value]]:
    """Return a decorator for a function that computes the part ``name``. If it fails, ``without`` is called instead.

    ``tests/arena/test_optional_parts.py`` breaks every part in turn.
    """

    def decorator(make: Callable[Given, Value]) -> Callable[Given, Value]:
        part = PARTS[name] = OptionalPart(name, make, without)

        @wraps(make)
        def guarded(*args: Given.args, **kwargs: Given.kwargs) -> Value:
            value: Value = part(*args, **kwargs)
            return value

        return guarded

    return decorator
