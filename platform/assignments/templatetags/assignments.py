"""Template filters for outcomes of assignments."""

from typing import Final

from django import template

from web.templatetags.numbers import percent

register = template.Library()
register.filter(percent)
TONES: Final = {"met": "good", "missed": "bad", "undecided": "warn", "waiting": "busy"}


@register.filter
def assignment_outcome_tone(outcome: str) -> str:
    """Return the tone of a badge for an outcome."""
    return TONES.get(outcome, "")
