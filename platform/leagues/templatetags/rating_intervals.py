"""Template filters for rating intervals, in whole points."""

from math import isfinite

from django import template
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from ratings.ranks import Interval
from web.templatetags.numbers import minus

register = template.Library()


@register.filter
def ends(rating: Interval) -> str:
    """Return a 95 % interval in whole points: 1480–1620; > 1480 where it is open above."""  # noqa: RUF002
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
        return _("above %(low)s, it has no upper end") % {"low": low}
    return _("below %(high)s, it has no lower end") % {"high": high} if high else _("not bounded yet")


def _end(points: float) -> str:
    return minus(number_format(round(points), use_l10n=False)) if isfinite(points) else ""
