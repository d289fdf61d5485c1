"""The part of formats that uses Django.

It has their templates and page data, what is at stake in a match, and why a stage ended early.

The folder of a format may have a module ``pages`` with a function ``round_context(stage, number, tables, *, drafts)``.
The function returns the context for ``round.html``. Each item of "tables" in this context is a ``FixturePairing``, or
has one as ``pairing``. A system check reports formats that lack a template.
"""

from collections.abc import Collection, Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from django.apps import AppConfig
from django.core import checks
from django.template import TemplateDoesNotExist
from django.template.loader import get_template
from django.utils.translation import gettext as _

from tournaments.formats.format import TABLES, Format
from tournaments.formats.registry import FORMATS
from tournaments.models import Fixture, Stage
from tournaments.selectors.rounds.fixtures import fixture_pairings_of
from tournaments.standings import TIE_BREAKS


def format_template_of(kind: Format, name: str) -> str:
    """Return the path of a template of a format, e.g. of ``facts.html`` or ``round.html``."""
    return f"formats/{kind.family}/{name}"


def format_round_context(stage: Stage, number: int, tables: Collection[int], *, drafts: bool) -> dict[str, Any]:
    """Return the context that explains the ``tables`` with these numbers in a round.

    The rounds of the stage must be drawn one by one. With ``drafts``, the round may be one that waits for the
    organiser.
    """
    folder = type(stage.kind).__module__.rpartition(".")[0]
    if find_spec(f"{folder}.pages") is not None:
        context: dict[str, Any] = import_module(f"{folder}.pages").round_context(stage, number, tables, drafts=drafts)
        return context
    return {"tables": fixture_pairings_of(stage, rounds=[number], tables=tables, drafts=drafts)}


@checks.register
def format_pages_check(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[checks.CheckMessage]:
    """Check that every format has all attributes and templates that pages, forms and standings need."""
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
            get_template(format_template_of(kind, name))
        except TemplateDoesNotExist:
            yield f"has no template {name} in formats/{kind.family}/"


def format_match_at_stake(fixture: Fixture) -> str:
    """Return in a few words what depends on a match; "" if there is nothing to say.

    The text depends only on the place of the match, so it reveals no result.
    """
    stage, number = fixture.round.stage, fixture.round.number
    if stage.kind.has_bracket:
        return _in_bracket(stage, tables=fixture.round.fixtures.count())
    if stage.number == 1 and number == stage.rounds:
        return _("last round")
    return _("top table") if stage.kind.draws_by_standings and fixture.table == 1 and number > 1 else ""


def _in_bracket(stage: Stage, *, tables: int) -> str:
    """Return what is at stake in a round with this number of tables; "" if that is not certain.

    It is not certain if the round may have the final and a match for the third place, or if the winner may have to win
    again.
    """
    if stage.players_per_table > 2:
        return _("the best go through") if tables > 1 else _("the final")
    if tables > 2 or (tables == 2 and not stage.has_third_place):
        return _("winner goes through")
    return _("the final") if tables == 1 and not stage.facts["double"] else ""


def format_stage_ended_early(stage: Stage) -> str:
    """Return in a sentence why a stage ended early; "" if it goes on, or if it has had all its rounds."""
    if stage.finished_at is None or stage.drawn >= stage.rounds:
        return ""
    values = {"drawn": stage.drawn, "rounds": stage.rounds}
    left = stage.tournament.entries.filter(is_withdrawn=False, version__isnull=False)
    if stage.number > 1:
        left = left.filter(seeds__stage=stage)
    if left.count() < stage.smallest_field:
        return _("It ended after round %(drawn)s of %(rounds)s: fewer bots were left than a table needs.") % values
    return _(stage.kind.ended_early) % values if stage.kind.ended_early else ""
