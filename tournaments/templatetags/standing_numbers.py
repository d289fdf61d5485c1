"""Numbers as a standings table writes them."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from tournaments.standings import LOT, Value
from web.templatetags.numbers import halves

register = template.Library()


@register.filter
def worth(value: Value | None, code: str) -> str | SafeString:
    """Write a tie-break's value: a lot by its first digits, a margin with its sign, a dash where none was needed."""
    if value is None:
        return "–"  # noqa: RUF001
    if isinstance(value, str):
        return format_html("<code>{}</code>", value[:6]) if code == LOT else value
    if code == "margin":
        sign = "+" if value > 0 else "−" if value < 0 else ""  # noqa: RUF001
        return f"{sign}{halves(abs(value))}"
    return halves(value)
