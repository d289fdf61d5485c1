"""How shares and outcomes are written on pages of assignments."""

from typing import Final

from django import template
from django.utils.formats import number_format

register = template.Library()
TONES: Final = {"met": "good", "missed": "bad", "undecided": "warn", "waiting": "busy"}


@register.filter
def percent(share: float) -> str:
    """Return a share in whole percent."""
    return number_format(round(100 * share))


@register.filter
def outcome_tone(outcome: str) -> str:
    """Return the tone of a badge for an outcome."""
    return TONES.get(outcome, "")
