"""Template filters for times, sizes and games on authors' pages."""

from django import template
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.html import avoid_wrapping
from django.utils.translation import gettext as _

from games.catalogue import GAMES, UnknownRuleset, find
from web.templatetags.numbers import percent

register = template.Library()
register.filter(percent)


@register.filter
def duration(seconds: float | None) -> str:
    """Format seconds with a unit: 0.8 ms, 35 ms, 1.20 s; a dash for None."""
    if seconds is None:
        return "\N{EN DASH}"
    if seconds >= 1:
        return avoid_wrapping(_("%(time)s s") % {"time": number_format(round(seconds, 2), 2)})
    places = 0 if seconds >= 0.01 else 1
    return avoid_wrapping(_("%(time)s ms") % {"time": number_format(round(seconds * 1000, places), places)})


@register.filter
def milliseconds(time: float) -> str:
    """Format milliseconds as ``duration`` does; less than a tenth is shown in microseconds."""
    if time < 0.1:
        return avoid_wrapping(_("%(time)s µs") % {"time": number_format(round(time * 1000), 0)})
    return duration(time / 1000)


@register.filter
def game_title(game: str) -> str:
    """Return the title of a game in the reader's language; ``game`` itself if it is not installed."""
    return _(GAMES[game].current.title) if game in GAMES else game


@register.filter
def rules_address(ruleset: str) -> str:
    """Return the URL of the rules of ``ruleset``, an id with a version; "" if it is unknown."""
    try:
        found = find(ruleset)
    except UnknownRuleset:
        return ""
    return reverse("docs-rules-version", args=[found.name, found.version])
