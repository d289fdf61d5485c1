"""What ``manage.py check`` says of a registered format that is not complete."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.apps import AppConfig
from django.core import checks
from django.template import TemplateDoesNotExist
from django.template.loader import get_template

from tournaments.format_pages import template_of
from tournaments.formats.format import TABLES, Format
from tournaments.formats.registry import FORMATS
from tournaments.models import Stage
from tournaments.standings import TIE_BREAKS


@checks.register
def check_formats(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[checks.CheckMessage]:
    """Check that every format has all that pages, forms and standings ask of it."""
    return [
        checks.Error(f"The format {code!r} {lack}.", hint="See docs/how-to/add-a-format.md.", id="tournaments.E001")
        for code, kind in FORMATS.items()
        for lack in _lacks(code, kind)
    ]


def _lacks(code: str, kind: Format) -> Iterator[str]:
    if kind.code != code:
        yield f"is registered under another code than its own, {kind.code!r}"
    if len(code) > (Stage._meta.get_field("format").max_length or 0):
        yield "has a code that is too long for the database"
    for name in ("label", "summary"):
        if not getattr(kind, name):
            yield f"has no {name}"
    if set(kind.tables) < set(TABLES) and not kind.wrong_tables:
        yield "does not say what is wrong with a table of another size (wrong_tables)"
    for tie_break in kind.tie_breaks:
        if tie_break not in TIE_BREAKS:
            yield f"breaks ties by {tie_break!r}, which does not exist"
    if kind.draws_by_standings and not kind.draws_one_by_one:
        yield "draws by standings, but not one round at a time"
    if kind.has_bracket and type(kind).bracket is Format.bracket:
        yield "has a bracket, but no method that makes it"
    templates = ["facts.html", *(["round.html"] if kind.draws_one_by_one else [])]
    templates += ["bracket.html"] if kind.has_bracket else []
    for name in templates:
        try:
            get_template(template_of(kind, name))
        except TemplateDoesNotExist:
            yield f"has no template {name} in formats/{kind.family}/"
