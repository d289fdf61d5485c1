"""Template filters for rating intervals, in whole points."""

from math import isfinite

from django import template
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from ratings.ranks import Bar, Interval, Rank
from web.templatetags.numbers import minus

register = template.Library()

BELOW, ABOVE = '<path d="M0 3L-4 7L0 11"></path>', '<path d="M120 3L124 7L120 11"></path>'


@register.filter
def ends(rating: Interval) -> str:
    """Return a 95 % interval in whole points: 1480–1620; > 1480 if it is open above."""  # noqa: RUF002
    low, high = _end(rating.low), _end(rating.high)
    if low and high:
        return f"{low}–{high}"  # noqa: RUF001
    return f"> {low}" if low else f"< {high}" if high else "–"  # noqa: RUF001


@register.filter
def between(rating: Interval) -> str:
    """Return a 95 % interval in words."""
    low, high = _end(rating.low), _end(rating.high)
    if low and high:
        return _("between %(low)s and %(high)s") % {"low": low, "high": high}
    if low:
        return _("above %(low)s, without an upper end") % {"low": low}
    return _("below %(high)s, without a lower end") % {"high": high} if high else _("not bounded yet")


@register.filter
def with_ends(rating: Interval) -> SafeString:
    """Return a rating and its interval, in whole points."""
    return format_html('{} <span class="ends">{}</span>', _end(rating.points), ends(rating))


@register.simple_tag
def rating_bar(rating: Interval, bar: Bar) -> SafeString:
    """Return a picture of a rating's interval.

    A provisional rating is paler. An arrow marks the end at which an interval is cut.
    """
    arrows = (BELOW if bar.goes_on_below else "") + (ABOVE if bar.goes_on_above else "")
    return format_html(
        '<svg class="rating-bar{}" viewBox="-5 0 130 14" width="130" height="14" role="img" aria-label="{}"><line '
        'x1="0" x2="120" y1="7" y2="7"></line><rect x="{}" y="4" width="{}" height="6" rx="3"></rect>{}<circle '
        'cx="{}" cy="7" r="4"></circle></svg>',
        "" if getattr(rating, "settled", False) else " provisional",
        between(rating),
        *(bar.start, bar.width, SafeString(arrows), bar.middle),
    )


@register.filter
def likely_rank(rank: Rank) -> str:
    """Return the rank by rating, and the two ranks between which it lies in at least 95 of 100 cases."""
    named = {name: number_format(getattr(rank, name), use_l10n=True) for name in ("shared", "low", "high")}
    if rank.low == rank.high:
        return _("Rating rank %(rank)s") % {"rank": named["shared"]}
    return _("Rating rank %(rank)s (likely %(low)s–%(high)s)") % {**named, "rank": named["shared"]}  # noqa: RUF001


def _end(points: float) -> str:
    return minus(number_format(round(points), use_l10n=False)) if isfinite(points) else ""
