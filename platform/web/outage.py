"""Which errors say that a server of ours is away: the database, the cache, the broker, the mail server.

They are nobody's mistake and pass by themselves, so pages and API answer them with 503 and words of their own.
"""

from typing import Final

from django.db import InterfaceError, OperationalError
from kombu.exceptions import OperationalError as BrokerError


class PartMissingError(Exception):
    """The one requested part of a page could not be computed."""


OUTAGES: Final = (PartMissingError, OperationalError, InterfaceError, BrokerError, ConnectionError, TimeoutError)
RETRY_AFTER: Final = 10  # seconds


def is_outage(error: BaseException | None) -> bool:
    """Tell whether ``error`` came of a server that does not answer."""
    return isinstance(error, OUTAGES)
