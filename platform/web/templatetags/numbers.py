"""Template filters for scores in tables and estimates in sentences."""

import re
from math import ceil
from typing import Final

from django import template
from django.utils.formats import number_format
from django.utils.html import avoid_wrapping
from django.utils.translation import gettext_lazy

register = template.Library()
KIBI: Final = 1024
UNITS: Final = (gettext_lazy("B"), gettext_lazy("KiB"), gettext_lazy("MiB"), gettext_lazy("GiB"), gettext_lazy("TiB"))
QUARTERS: Final = {0.25: "¼", 0.5: "½", 0.75: "¾"}


@register.filter
def halves(value: float | None) -> str:
    """Format 12.5 as 12½, 2.25 as 2¼, 12.0 as 12, other fractions with at most two decimals, and None as ""."""
    if value is None:
        return ""
    whole, rest = divmod(value, 1)
    if rest == 0:
        return number_format(int(whole), use_l10n=True)
    if rest in QUARTERS and value > 0:
        return f"{number_format(int(whole), use_l10n=True) if whole else ''}{QUARTERS[rest]}"
    return number_format(round(value, 2), use_l10n=True)


@register.filter
def minus(number: object) -> str:
    """Replace the hyphen before a negative number by a minus sign: −125."""  # noqa: RUF002
    return re.sub(r"^-(?=\d)", "−", str(number))  # noqa: RUF001


@register.filter
def percent(share: float, places: int = 0) -> str:
    """Format a share from 0 to 1 as a percentage that stays on one line."""
    return avoid_wrapping(f"{number_format(round(100 * share, places), places)} %")


register.filter("score", halves)  # games won; draws count as fractions


@register.filter
def bytes_shown(size: int | float) -> str:
    """Format a number of bytes in units of 1,024 that stays on one line.

    >>> [bytes_shown(size).replace("\\xa0", " ") for size in (107, 1536, 8 << 20)]
    ['107 B', '1.5 KiB', '8 MiB']
    """
    amount, unit = float(size), 0
    while abs(amount) >= KIBI and unit + 1 < len(UNITS):
        amount, unit = amount / KIBI, unit + 1
    amount = round(amount, 1)
    return avoid_wrapping(f"{number_format(amount, 0 if amount.is_integer() else 1)} {UNITS[unit]}")


@register.filter
def tenths_up(value: float | None) -> str:
    """Format an estimate with one decimal, rounded up, so that .02 is not shown as 0. None is ""."""
    return "" if value is None else number_format(ceil(round(value * 10, 6)) / 10, 1, use_l10n=True)
