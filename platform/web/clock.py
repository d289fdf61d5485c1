"""The clock of leases: the database's, because clocks of workers may be wrong.

Use these expressions in the ``update`` that takes or renews a lease and in the ``filter`` that looks for expired ones.
"""

from datetime import timedelta

from django.db.models import DateTimeField, ExpressionWrapper, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Now


def database_now() -> Now:
    """Return the time in the database, when the statement begins. SQLite's is exact to the millisecond."""
    return Now()


def database_after(pause: timedelta) -> Combinable:
    """Return the time in the database, ``pause`` later (or earlier, below zero)."""
    return ExpressionWrapper(Now() + Value(pause), output_field=DateTimeField())
