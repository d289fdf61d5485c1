"""How ties were broken: each bot against the one below it, and what the numbers of one bot are made of."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.models import Stage, Tournament
from tournaments.selectors.pages.tournament_page import entries_of, tie_breaks_of
from tournaments.selectors.standings.explain import comparisons
from tournaments.selectors.standings.results import standings_of
from tournaments.selectors.standings.tie_break_detail import reckoning_of
from tournaments.views.lookups import shown_tournament


@require_safe
def tie_breaks(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = shown_tournament(request, slug)
    entries = {entry.pk: entry for entry in entries_of(tournament)}
    announced = tie_breaks_of(tournament)
    compared = [
        (stage, comparisons(standings_of(stage), announced, entries)) for stage in _stages_with_points(tournament)
    ]
    by_fide = any(stage.has_fide_tie_breaks for stage in tournament.stages.all())
    context = {"tournament": tournament, "tie_breaks": announced, "stages": compared, "by_fide": by_fide}
    return render(request, "tournaments/tie_breaks.html", context)


@require_safe
def reckoning(request: HttpRequest, slug: str, entry_id: int) -> HttpResponse:
    tournament = shown_tournament(request, slug)
    entries = {entry.pk: entry for entry in entries_of(tournament)}
    if entry_id not in entries:
        raise Http404(_("This bot is not in this tournament."))
    entry, announced = entries[entry_id], tie_breaks_of(tournament)
    stages = (reckoning_of(stage, entry, announced, entries) for stage in _stages_with_points(tournament))
    context = {"tournament": tournament, "entry": entry, "reckonings": [one for one in stages if one is not None]}
    return render(request, "tournaments/reckoning.html", context)


def _stages_with_points(tournament: Tournament) -> list[Stage]:
    """Return the stages whose order comes of points: all that have begun, and the first, but knockouts."""
    stages = tournament.stages.all()
    return [stage for stage in stages if (stage.started_at or stage.number == 1) and not stage.kind.has_bracket]
