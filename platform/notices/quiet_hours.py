"""Quiet hours, in a person's time zone, in which no emails or messages to devices are sent."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any

from django.db.models import QuerySet

from notices.models import QuietHours
from web.zones import zone_of


@dataclass(frozen=True, slots=True)
class Quiet:
    """Quiet hours from ``start`` to ``end``. They span midnight if ``end`` is earlier."""

    start: time
    end: time
    time_zone: str

    def end_after(self, when: datetime) -> datetime:
        """Return ``when`` in UTC, or the end of the quiet hours that contain it.

        Times that the clock skips or repeats are interpreted with the offset of ``when``, so the end is never before
        ``when``.
        """
        zone = zone_of(self.time_zone)
        local = when.astimezone(zone)
        clock = local.time().replace(fold=0)
        overnight = self.end < self.start
        within = clock >= self.start or clock < self.end if overnight else self.start <= clock < self.end
        if not within:
            return when.astimezone(UTC)
        day = local.date() + timedelta(days=overnight and clock >= self.start)
        return max(datetime.combine(day, self.end.replace(fold=local.fold), zone).astimezone(UTC), when.astimezone(UTC))


def quiet_hours_by_person(people: Collection[int] | QuerySet[Any, Any]) -> dict[int, Quiet]:
    """Return the quiet hours of those ``people`` who have any, by person. One query."""
    rows = QuietHours.objects.filter(person__in=people).values_list("person", "start", "end", "time_zone")
    return {person: Quiet(start, end, zone) for person, start, end, zone in rows}


def quiet_hours(person: Any) -> Quiet | None:
    """Return the person's quiet hours, or None."""
    return quiet_hours_by_person([person.pk]).get(person.pk)


def quiet_hours_set(*, person: Any, quiet: Quiet | None) -> None:
    """Store a person's quiet hours, or delete them with None."""
    if quiet is None:
        QuietHours.objects.filter(person=person).delete()
        return
    fields = {"start": quiet.start, "end": quiet.end, "time_zone": quiet.time_zone}
    QuietHours.objects.update_or_create(person=person, defaults=fields)
