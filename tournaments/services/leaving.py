"""Who is out, and since when: what a knockout decides between two who have left is who left first.

An entry may be out for several reasons at once, and each can end by itself: its author took it out, the rules did, a
ruling does. It takes part if none is left, see ``standings.taking_part``.
"""

from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from tournaments.models import Entry, Tournament
from tournaments.selectors.rulings.consequences import stay_of
from tournaments.selectors.rulings.corrections import corrections_of
from tournaments.services.chaining import left_append
from tournaments.standings import taking_part


def entries_leave(*, entries: QuerySet[Entry], why: str, **fields: Any) -> int:
    """Take those of ``entries`` out that are still in, with ``fields`` set; return how many. Without a reason of
    the rules (``withdrawn_because``) they have left by themselves. ``why`` is for the chain."""
    now = timezone.now()
    since = {"struck_at": now} if fields.get("withdrawn_because") else {"left_at": now}
    leaving: dict[int, list[int]] = {}
    for tournament, entry in entries.filter(is_withdrawn=False).order_by("pk").values_list("tournament", "pk"):
        leaving.setdefault(tournament, []).append(entry)
    left = entries.filter(is_withdrawn=False).update(is_withdrawn=True, withdrawn_at=now, **since, **fields)
    for tournament, gone in leaving.items():
        left_append(tournament, gone, why)
    return left


def entries_settle(tournament: Tournament) -> None:
    """Let those in whom nothing keeps out, rulings that hold included, and the others out."""
    held = corrections_of(tournament)
    ruled = dict(tournament.rulings.values_list("number", "created_at"))
    entries = list(tournament.entries.all())
    present = taking_part([stay_of(entry) for entry in entries], held)
    for entry in entries:
        out = entry.pk not in present
        times = [entry.left_at, entry.struck_at, ruled.get(held.out.get(entry.pk, 0))]
        known = [time for time in times if time is not None]
        since = min(known, default=None) if out else None
        if (entry.is_withdrawn, entry.withdrawn_at) != (out, since):
            Entry.objects.filter(pk=entry.pk).update(is_withdrawn=out, withdrawn_at=since)
