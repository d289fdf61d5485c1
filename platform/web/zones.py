"""Times in the time zone of an event: input in forms, text in emails, and repetition."""

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
    """Return the time zones that can be chosen: UTC, and the zones of the IANA database that are named for a place."""
    places = (name for name in available_timezones() if name.partition("/")[0] in AREAS)
    return (UTC_NAME, *sorted(places))


def zone_choices() -> list[tuple[str, str]]:
    """Return the time zones as choices of a form field."""
    return [(name, name) for name in zone_names()]


def zone_of(name: str | None) -> tzinfo:
    """Return the time zone called ``name``; UTC if it is unknown."""
    return ZoneInfo(name) if name and name != UTC_NAME and name in zone_names() else UTC


def zone_minutes_later(when: datetime, minutes: int, zone: tzinfo) -> datetime:
    """Return the time ``minutes`` after ``when``.

    Whole and half days are counted by the clock of ``zone``, so that repeated events keep their hour. If the clock
    skips the result, it is interpreted with the offset before the change. If the result occurs twice, the first is used
    (RFC 5545, section 3.3.5).

    Raises:
        OverflowError: the result is after the year 9999.
    """
    if minutes % HALF_DAY:
        return when + timedelta(minutes=minutes)
    clock = when.astimezone(zone).replace(tzinfo=None, fold=0) + timedelta(minutes=minutes)
    return clock.replace(tzinfo=zone).astimezone(UTC) if minutes else when


def zone_clock_text(when: datetime, zone_name: str) -> str:
    """Return the date and time in a time zone, followed by the name of the zone."""
    return f"{date_format(zone_time_in(when, zone_of(zone_name)), 'DATETIME_FORMAT')} {zone_name}"


def zone_time_in(when: datetime, zone: tzinfo) -> datetime:
    """Return ``when`` in the time zone; unchanged if the result is outside the years 1 to 9999."""
    try:
        return when.astimezone(zone)
    except OverflowError:
        return when


class ZonedTimeField(forms.DateTimeField):
    """A time that is displayed and entered in ``zone``, which the form sets. A value with an offset keeps its offset.

    For times that the clock skips or repeats see ``zone_minutes_later``.
    """

    zone: tzinfo = UTC
    widget = forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")

    def __init__(self, *, unset: Any = "", **kwargs: Any) -> None:
        """Make the field. ``unset`` is the text of a form's summary if the field is empty."""
        super().__init__(**kwargs)
        if unset:
            self.widget.attrs["data-unset"] = unset

    def to_python(self, value: Any) -> datetime | None:
        """Return the time with its zone; None for an empty value.

        Raises:
            ValidationError: the value is not a time.
        """
        if isinstance(value, str):
            with suppress(ValueError):
                value = parse_datetime(value.strip()) or value
        if isinstance(value, datetime) and timezone.is_naive(value):
            value = value.replace(tzinfo=self.zone)
        with timezone.override(self.zone):
            return super().to_python(value)

    def prepare_value(self, value: Any) -> Any:
        return zone_time_in(value, self.zone) if isinstance(value, datetime) else value
