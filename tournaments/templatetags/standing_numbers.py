"""Numbers as a standings table writes them."""

from math import isfinite
from typing import Final

from django import template
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from ratings.bars import Interval
from tournaments.standings import LOT, Value

register = template.Library()
QUARTERS: Final = {0.25: "¼", 0.5: "½", 0.75: "¾"}


@register.filter
def halves(value: float | None) -> str:
    """12.5 as 12½, 2.25 as 2¼, 12.0 as 12; other fractions with at most two decimals; nothing for None."""
    if value is None:
        return ""
    whole, rest = divmod(value, 1)
    if rest == 0:
        return number_format(int(whole), use_l10n=True)
    if rest in QUARTERS and value > 0:
        return f"{number_format(int(whole), use_l10n=True) if whole else ''}{QUARTERS[rest]}"
    return number_format(round(value, 2), use_l10n=True)


register.filter("score", halves)  # games won, with the shares of drawn ones


@register.filter
def worth(value: Value | None, code: str) -> str | SafeString:
    """A tie-break's value: a lot by its first digits, a margin with its sign, a dash where none was needed."""
    if value is None:
        return "–"  # noqa: RUF001
    if isinstance(value, str):
        return format_html("<code>{}</code>", value[:6]) if code == LOT else value
    if code == "margin":
        sign = "+" if value > 0 else "−" if value < 0 else ""  # noqa: RUF001
        return f"{sign}{halves(abs(value))}"
    return halves(value)


@register.filter
def ends(rating: Interval) -> str:
    """A 95 % interval in whole points: 1480–1620; > 1480 where it is open above."""  # noqa: RUF002
    low, high = _end(rating.low), _end(rating.high)
    if low and high:
        return f"{low}–{high}"  # noqa: RUF001
    return f"> {low}" if low else f"< {high}" if high else "–"  # noqa: RUF001


@register.filter
def between(rating: Interval) -> str:
    """The same in words."""
    low, high = _end(rating.low), _end(rating.high)
    if low and high:
        return _("between %(low)s and %(high)s") % {"low": low, "high": high}
    if low:
        return _("above %(low)s, it has no upper end") % {"low": low}
    return _("below %(high)s, it has no lower end") % {"high": high} if high else _("not bounded yet")


def _end(points: float) -> str:
    return number_format(round(points), use_l10n=False) if isfinite(points) else ""
