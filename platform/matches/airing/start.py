"""When a broadcast begins and ends, by the database's clock."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import DateTimeField, ExpressionWrapper, F, Value
from django.db.models.functions import Coalesce, Greatest

from web.clock import database_now


def on_air_times(length: timedelta) -> dict[str, Any]:
    """Return, for an ``update`` of one match, its T0 and its end: now, or its premiere if that is to come.

    A broadcast is no longer than ``BROADCAST_MINUTES_MOST``: then the result is told, and the other games are replays.
    """
    length = min(length, timedelta(minutes=settings.BROADCAST_MINUTES_MOST))
    begins = Greatest(Coalesce(F("premieres_at"), database_now()), database_now())
    ends = ExpressionWrapper(begins + Value(length), output_field=DateTimeField())
    return {"airs_at": begins, "air_ends_at": ends}
