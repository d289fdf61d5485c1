"""A knockout as a bracket."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.models import Stage, Tournament
from tournaments.selectors.board import entries_of
from tournaments.selectors.bracket import bracket_shown, round_shown
from tournaments.selectors.fixtures import rounds_of
from tournaments.selectors.visible import may_own
from tournaments.views.found import shown_tournament


@require_safe
def bracket(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Of a stage that is a knockout and has begun."""
    tournament = shown_tournament(request, slug)
    stage = get_object_or_404(Stage, tournament=tournament, number=number, started__isnull=False)
    if not stage.is_knockout:
        raise Http404(_("This stage is no knockout."))
    parts = bracket_shown(stage, entries_of(tournament))
    return render(request, "tournaments/bracket.html", {"tournament": tournament, "stage": stage, "parts": parts})


def knockout_round(request: HttpRequest, tournament: Tournament, stage: Stage, number: int) -> HttpResponse:
    """Why these pairings: who came from where to each match of the round, and why somebody went on."""
    bouts = round_shown(stage, entries_of(tournament), number)
    if not bouts:
        raise Http404(_("This round has not been published."))
    context = {
        "tournament": tournament,
        "stage": stage,
        "number": number,
        "bouts": bouts,
        "rounds": [one for one, _, _ in rounds_of(stage, drafts=may_own(request.user, tournament))],
    }
    return render(request, "tournaments/knockout_round.html", context)
