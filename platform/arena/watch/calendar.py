"""The timetable as a calendar file (RFC 5545)."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Final

from arena.watch.timetable import Coming
from web.optional import optional

LINE_OCTETS: Final = 75
LASTS: Final = timedelta(minutes=30)


def calendar(events: Iterable[Coming], *, host: str, origin: str, now: datetime) -> str:
    """Return the file: an event of half an hour for each, which keeps its UID when it is moved."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:-//{host}//Pecking Order//EN", "X-WR-CALNAME:Pecking Order"]
    for one in events:
        lines += _event(one, host, origin, now)
    return "".join(f"{_folded(line)}\r\n" for line in [*lines, "END:VCALENDAR"])


@optional("event of the calendar", lambda *_given: [])
def _event(one: Coming, host: str, origin: str, now: datetime) -> list[str]:
    """Return the lines of an event; none of one that cannot be written, so that the others stay in the file."""
    return [
        "BEGIN:VEVENT",
        f"UID:{one.key}@{host}",
        f"DTSTAMP:{_utc(now)}",
        f"DTSTART:{_utc(one.when)}",
        f"DTEND:{_utc(one.when + LASTS)}",
        f"SUMMARY:{_text(f'{one.name}: {one.label}')}",
        f"URL:{origin}{one.address}",
        "END:VEVENT",
    ]


def _utc(when: datetime) -> str:
    return when.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _text(text: str) -> str:
    """Write ``text`` as a property of type TEXT: section 3.3.11."""
    clean = "".join(letter if letter.isprintable() else " " for letter in text)
    return clean.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")


def _folded(line: str) -> str:
    """Fold a line into lines of 75 octets at most, parted between letters: section 3.1."""
    parts, octets = [""], 0
    for letter in line:
        size = len(letter.encode())
        if octets + size > LINE_OCTETS:
            parts.append(" ")
            octets = 1
        parts[-1] += letter
        octets += size
    return "\r\n".join(parts)
