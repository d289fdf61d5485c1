"""The organiser says when rounds begin and are shown: those that are drawn, and those to come."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tournaments.errors import TournamentError
from tournaments.models import Tournament
from tournaments.premiere_form import PlanForm
from tournaments.selectors.rounds.plans import planned_at, plans_of
from tournaments.services import round_plan_set
from tournaments.services.premieres import PremiereRefused
from tournaments.views.lookups import own_tournament


@require_safe
@login_required
def schedule(request: HttpRequest, slug: str) -> HttpResponse:
    return _page(request, own_tournament(request, slug))


@require_http_methods(["GET", "POST"])
@login_required
def schedule_round(request: HttpRequest, slug: str, stage_number: int, place: int) -> HttpResponse:
    """Set the times of a round on a POST; show the schedule with the form of that round open."""
    tournament = own_tournament(request, slug)
    planned = planned_at(tournament, stage_number, place)
    if planned is None:
        raise Http404
    if planned.begun and request.method == "POST":
        messages.error(request, _("It is too late to change this: the round is being shown or played, or is over."))
        return _page(request, tournament, status=409)
    form = PlanForm(request.POST or None, planned=planned)
    status = 200
    if form.is_valid():
        try:
            round_plan_set(tournament=tournament, stage=stage_number, place=place, **form.cleaned_data)
        except PremiereRefused as error:
            form.add_error(error.field if error.field in form.fields else None, str(error))
        except TournamentError as error:
            messages.error(request, str(error))
            status = 409
        else:
            messages.success(request, _("Schedule saved."))
            return redirect("tournaments:plan", slug)
    return _page(request, tournament, form, status=422 if form.errors else status)


def _page(
    request: HttpRequest, tournament: Tournament, edited: PlanForm | None = None, status: int = 200
) -> HttpResponse:
    """Render all rounds, each with its form until it begins; ``edited``: the one that is open."""
    rounds = plans_of(tournament)
    forms = [None if one.begun else PlanForm(planned=one) for one in rounds]
    if edited is not None:
        forms = [edited if form and form.planned == edited.planned else form for form in forms]
    context = {"tournament": tournament, "rows": list(zip(rounds, forms, strict=True)), "edited": edited}
    return render(request, "tournaments/plan.html", context, status=status)
