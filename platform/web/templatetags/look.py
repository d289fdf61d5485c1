"""Template tags for repeated markup: the chip of a seat, times, and the bird of a bot.

The species and colours of a bird depend only on the slug of the bot. If a species is part of the slug, it is used.
"""

from datetime import date, datetime, timedelta
from hashlib import sha256
from typing import Final, NamedTuple

from django import template
from django.contrib.humanize.templatetags.humanize import naturaltime
from django.templatetags.static import static
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from web.markdown import markdown
from web.zones import zone_clock_text

A_DAY: Final = timedelta(days=1)
A_WEEK: Final = timedelta(days=7)

register = template.Library()
register.filter(markdown)


@register.filter
def seat_letter(index: int) -> str:
    """Return the letter of a seat, A for seat 0. It is shown in addition to the seat's colour."""
    return "ABCDEFG"[int(index)]


# Pages use three formats for times: ``moment`` for appointments (deadlines, rounds, premieres), ``ago`` in lists of
# past events, ``day`` in histories.


@register.filter
def moment(when: datetime, zone: str = "") -> SafeString:
    """Return the day and minute in the site's time zone, or in that of an event.

    The browser adds the reader's local time.
    """
    if zone:
        text = zone_clock_text(when, zone)
        return format_html('<local-time datetime="{}" zone="{}">{}</local-time>', when.isoformat(), zone, text)
    return format_html('<local-time datetime="{}">{}</local-time>', when.isoformat(), _by_our_clock(when))


@register.filter
def ago(when: datetime | None) -> str:
    """Return the time since ``when``. From one day on, it is in whole days; after a week, it is a date. "" for None.

    The minute in the site's time zone is the title of the element.
    """
    if when is None:
        return ""
    age = timezone.now() - when
    if age >= A_WEEK:
        return day(when)
    return _titled(when, str(naturaltime(when if age < A_DAY else timezone.now() - age.days * A_DAY)))


@register.filter
def day(when: date | None) -> str:
    """Return the date. For a datetime, the minute in the site's time zone is the title of the element. "" for None."""
    if not isinstance(when, datetime):
        return date_format(when, "DATE_FORMAT") if when else ""
    return _titled(when, date_format(when, "DATE_FORMAT"))


def _titled(when: datetime, text: str) -> SafeString:
    return format_html('<time datetime="{}" title="{}">{}</time>', when.isoformat(), _by_our_clock(when), text)


def _by_our_clock(when: datetime) -> str:
    return f"{date_format(when, 'DATETIME_FORMAT')} UTC"


@register.simple_tag
def seat(index: int) -> SafeString:
    """Return a coloured chip with the letter of the seat."""
    letter = seat_letter(index)
    title = _("Seat %(letter)s") % {"letter": letter}
    return format_html('<span class="seat" data-seat="{}" title="{}">{}</span>', index, title, letter)


@register.simple_tag
def bird(slug: str) -> SafeString:
    """Return the small picture of a bot. It precedes the bot's name and is hidden from screen readers."""
    one = look_bird_of(slug)
    return format_html(
        '<svg class="bird" data-plumage="{}" data-ground="{}" aria-hidden="true"><use href="{}#{}"/></svg>',
        one.plumage,
        one.ground,
        static("web/birds.svg"),
        one.species,
    )


# Symbols of static/web/birds.svg. Adding one changes the birds of some bots.
SPECIES: Final = ("hen", "owl", "crow", "duck", "heron", "penguin", "robin", "cockatoo")
PLUMAGES: Final = 10  # pairs of colours, in static/site/css/lists.css
GROUNDS: Final = 6  # backgrounds, in the same file


class Bird(NamedTuple):
    """The bird of a bot. ``species`` is the name of a symbol; ``plumage`` and ``ground`` count from 0."""

    species: str
    plumage: int
    ground: int


def look_bird_of(slug: str) -> Bird:
    """Return the bird of a bot. It is the same on every page and every site."""
    species, plumage, ground, *_ = sha256(slug.encode()).digest()
    called = next((one for one in slug.split("-") if one in SPECIES), SPECIES[species % len(SPECIES)])
    return Bird(called, plumage % PLUMAGES, ground % GROUNDS)
