"""Pieces of the look that plain markup would repeat: a bot's bird, a seat's chip, a time with its clock."""

from datetime import datetime

from django import template
from django.contrib.humanize.templatetags.humanize import naturaltime
from django.templatetags.static import static
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from web.birds import bird_of
from web.markdown import markdown
from web.zones import by_clock

register = template.Library()
register.filter(markdown)


@register.filter
def seat_letter(index: int) -> str:
    """Return the letter of a seat, A for seat 0, which stands beside its colour."""
    return "ABCDEFG"[int(index)]


@register.filter
def moment(when: datetime, zone: str = "") -> SafeString:
    """Return the day and the minute, by the site's clock or that of an event's time zone; the browser adds the reader's
    own."""
    if zone:
        text = by_clock(when, zone)
        return format_html('<local-time datetime="{}" zone="{}">{}</local-time>', when.isoformat(), zone, text)
    text = date_format(when, "DATETIME_FORMAT")
    return format_html('<local-time datetime="{}">{} UTC</local-time>', when.isoformat(), text)


@register.filter
def ago(when: datetime) -> SafeString:
    """Return how long ago it was; the day and the minute, by the site's clock, as its title."""
    text = date_format(when, "DATETIME_FORMAT")
    return format_html('<time datetime="{}" title="{} UTC">{}</time>', when.isoformat(), text, naturaltime(when))


@register.simple_tag
def seat(index: int) -> SafeString:
    """Return the coloured chip with a seat's letter."""
    letter = seat_letter(index)
    title = _("Seat %(letter)s") % {"letter": letter}
    return format_html('<span class="seat" data-seat="{}" title="{}">{}</span>', index, title, letter)


@register.simple_tag
def bird(slug: str) -> SafeString:
    """Return the small picture of a bot, which stands before its name and is silent."""
    one = bird_of(slug)
    return format_html(
        '<svg class="bird" data-plumage="{}" data-ground="{}" aria-hidden="true"><use href="{}#{}"/></svg>',
        one.plumage,
        one.ground,
        static("web/birds.svg"),
        one.species,
    )
