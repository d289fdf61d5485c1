"""Times by the clock of an event's time zone: what is typed into a form, said in a letter, and repeated."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache
from typing import Any, Final
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format

HALF_DAY: Final = 720  # minutes
UTC_NAME: Final = "UTC"
AREAS: Final = (
    *("Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"),
)


@cache
def zone_names() -> tuple[str, ...]:
    """Return the zones that may be chosen: UTC, then those of the IANA database that are named for a place."""
    places = (name for name in available_timezones() if name.partition("/")[0] in AREAS)
    return (UTC_NAME, *sorted(places))


def zone_choices() -> list[tuple[str, str]]:
    """Return the same for a field that chooses one."""
    return [(name, name) for name in zone_names()]


def zone_of(name: str | None) -> tzinfo:
    """Return the zone of that name; UTC for one that is unknown here."""
    return ZoneInfo(name) if name and name != UTC_NAME and name in zone_names() else UTC


def minutes_later(when: datetime, minutes: int, zone: tzinfo) -> datetime:
    """Return the time ``minutes`` after ``when``. Whole and half days are counted by the clock of the ``zone``, so that
    what is repeated keeps its hour. An hour that the clock skips is taken by the clock before it; of one that comes
    twice, the first is meant (RFC 5545, section 3.3.5).

    Raises:
        OverflowError: a time after the year 9999.
    """
    if minutes % HALF_DAY:
        return when + timedelta(minutes=minutes)
    clock = when.astimezone(zone).replace(tzinfo=None, fold=0) + timedelta(minutes=minutes)
    return clock.replace(tzinfo=zone).astimezone(UTC) if minutes else when


def by_clock(when: datetime, zone_name: str) -> str:
    """Say the day and the minute by the clock of a zone, and which one that is."""
    return f"{date_format(in_zone(when, zone_of(zone_name)), 'DATETIME_FORMAT')} {zone_name}"


def in_zone(when: datetime, zone: tzinfo) -> datetime:
    """Return the time by the clock of the zone; as it is where no year from 1 to 9999 has that."""
    try:
        return when.astimezone(zone)
    except OverflowError:
        return when


class ZonedTimeField(forms.DateTimeField):
    """A time that is shown and typed by the clock of its ``zone``, which the form sets. A value that brings an offset
    is taken by that; for hours that a clock skips or repeats see ``minutes_later``."""

    zone: tzinfo = UTC
    widget = forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")

    def __init__(self, *, unset: Any = "", **kwargs: Any) -> None:
        """Make the field; ``unset`` says in the summary of a form what it means to leave it empty."""
        super().__init__(**kwargs)
        if unset:
            self.widget.attrs["data-unset"] = unset

    def to_python(self, value: Any) -> datetime | None:
        """Return the time with its zone; None if nothing was typed.

        Raises:
            ValidationError: it is not a time.
        """
        if isinstance(value, str):
            with suppress(ValueError):
                value = parse_datetime(value.strip()) or value
        if isinstance(value, datetime) and timezone.is_naive(value):
            value = value.replace(tzinfo=self.zone)
        with timezone.override(self.zone):
            return super().to_python(value)

    def prepare_value(self, value: Any) -> Any:
        return in_zone(value, self.zone) if isinstance(value, datetime) else value
