"""Database helpers: retries of writes, conditional updates, the clock for leases, outages, and JSON that can be stored.

Leases use the database's clock, because clocks of workers may be wrong. So use ``database_now`` and ``database_after``
in the ``update`` that takes or renews a lease, and in the ``filter`` for expired ones.
"""

import logging
import math
import random
import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar

from django.db import InterfaceError, OperationalError, connection
from django.db.models import DateTimeField, ExpressionWrapper, Model, QuerySet, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Now
from kombu.exceptions import OperationalError as BrokerError

logger = logging.getLogger(__name__)
P = ParamSpec("P")
T = TypeVar("T")
M = TypeVar("M", bound=Model)

TRIES: Final = 6
# Seconds before the second try. The pause is doubled after each try, with jitter; all pauses together take a second and
# a half.
FIRST_PAUSE_SECONDS: Final = 0.05


def database_persistent(write: Callable[P, T]) -> Callable[P, T]:
    """Retry ``write`` a limited number of times while the database is locked or reports a deadlock.

    ``write`` must be one transaction that may be repeated. Inside a larger transaction it is called once.
    """

    @wraps(write)
    def persevere(*args: P.args, **kwargs: P.kwargs) -> T:
        if connection.in_atomic_block:
            return write(*args, **kwargs)
        for tried in range(TRIES - 1):
            try:
                return write(*args, **kwargs)
            except OperationalError as error:
                logger.warning("%s: the database failed (%s); trying again", write.__name__, error)
                connection.close_if_unusable_or_obsolete()
                time.sleep(FIRST_PAUSE_SECONDS * 2**tried * random.uniform(0.5, 1.0))  # noqa: S311  jitter is no secret
        return write(*args, **kwargs)

    return persevere


def database_rows(rows: QuerySet[M]) -> QuerySet[M]:
    """Return ``rows`` selected by primary key, so that an update can add conditions to them.

    If an update joins tables, Django moves all of its conditions into a subquery. When PostgreSQL has waited for a row
    that another transaction was changing, it does not run the subquery again, and the update overwrites the change. But
    PostgreSQL does check the conditions that are added to the result of this function.
    """
    return rows.model._default_manager.filter(pk__in=rows.order_by().values("pk"))


def database_now() -> Now:
    """Return an expression for the database's time at the beginning of the statement.

    The time of SQLite is exact to the millisecond.
    """
    return Now()


def database_after(pause: timedelta) -> Combinable:
    """Return an expression for the database's time plus ``pause``, which may be negative."""
    return ExpressionWrapper(Now() + Value(pause), output_field=DateTimeField())


class PartMissingError(Exception):
    """The only requested part of a page could not be computed."""


# Errors that are temporary and that no user causes. Pages and the API answer them with 503 and a special message.
OUTAGES: Final = (PartMissingError, OperationalError, InterfaceError, BrokerError, ConnectionError, TimeoutError)
RETRY_AFTER: Final = 10  # seconds


def database_is_outage(error: BaseException | None) -> bool:
    """Return whether ``error`` was caused by a server that does not answer."""
    return isinstance(error, OUTAGES)


MAX_TEXT: Final = 20_000  # characters of one text
MAX_ITEMS: Final = 2_000  # items of one list or mapping
MAX_DEPTH: Final = 12


def database_json_cleaned(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``report`` without what PostgreSQL's JSON rejects: NUL, lone surrogates and NaN.

    Texts, lists and depths are cut to the limits above: parts of the report come from a bot, e.g. its output, its
    exception and its traceback.
    """
    return {_text(str(key)): _clean(value, MAX_DEPTH) for key, value in report.items()}


def _clean(value: Any, depth: int) -> Any:
    match value:
        case None | bool() | int():
            return value
        case float():
            return value if math.isfinite(value) else None
        case str():
            return _text(value)
        case Mapping() if depth:
            return {_text(str(key)): _clean(inner, depth - 1) for key, inner in list(value.items())[:MAX_ITEMS]}
        case list() | tuple() if depth:
            return [_clean(inner, depth - 1) for inner in value[:MAX_ITEMS]]
        case _:
            return _text(str(value))


def _text(text: str) -> str:
    shown = text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + " …"
    return str(shown).replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode()
