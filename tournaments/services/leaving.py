"""Who is out, and since when: what a knockout decides between two who have left is who left first."""

from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from tournaments.models import Entry
from tournaments.services.chaining import left_tell


def entries_leave(*, entries: QuerySet[Entry], why: str, **fields: Any) -> int:
    """Those of ``entries`` that are still in are out from now on, with ``fields`` set; how many. ``why`` is for the
    chain, "" where a ruling tells of it."""
    leaving = list(entries.filter(withdrawn=False).order_by("pk"))
    left = entries.filter(withdrawn=False).update(withdrawn=True, withdrawn_at=timezone.now(), **fields)
    if why:
        left_tell(leaving, why)
    return left


def entries_return(*, entries: QuerySet[Entry]) -> int:
    """They are in again, whatever they were taken out for; how many."""
    return entries.update(withdrawn=False, withdrawn_at=None, withdrawn_because="")
