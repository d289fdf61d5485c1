"""A knockout as a bracket."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.format_pages import template_of
from tournaments.formats.knockout.pages.bracket import bracket_shown
from tournaments.models import Stage
from tournaments.selectors.pages.tournament_page import entries_of
from tournaments.views.lookups import shown_tournament


@require_safe
def bracket(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the bracket of a stage that is a knockout and has begun."""
    tournament = shown_tournament(request, slug)
    stage = get_object_or_404(Stage, tournament=tournament, number=number, started_at__isnull=False)
    if not stage.kind.has_bracket:
        raise Http404(_("This stage is no knockout."))
    parts = bracket_shown(stage, entries_of(tournament))
    return render(
        request, template_of(stage.kind, "bracket.html"), {"tournament": tournament, "stage": stage, "parts": parts}
    )
