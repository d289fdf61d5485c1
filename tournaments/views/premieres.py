"""The organiser says when rounds begin and are shown: those that are drawn, and those to come."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tournaments.errors import TournamentError
from tournaments.models import Round
from tournaments.premiere_form import PlanForm, PremiereForm
from tournaments.selectors.rounds.plans import planned_at, plans_of
from tournaments.services import round_plan_set, round_premiere_set
from tournaments.services.premieres import PremiereRefused, premiere_may_change
from tournaments.views.lookups import own_tournament


@require_http_methods(["GET", "POST"])
@login_required
def premiere(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show when the matches of a round are shown, and set it on a POST; with ``call_off`` there is no premiere of
    it.
    """
    tournament = own_tournament(request, slug)
    played = get_object_or_404(Round.objects.select_related("tournament"), tournament=tournament, number=number)
    off = "call_off" in request.POST
    form = PremiereForm(None if off else request.POST or None, played=played)
    status = 200
    if off or form.is_valid():
        try:
            wanted = {"premieres_at": None} if off else {"tempo": played.tempo, **form.cleaned_data}
            round_premiere_set(played=played, **wanted)
        except PremiereRefused as error:
            form.add_error(error.field, str(error))
        except TournamentError as error:
            messages.error(request, str(error))
            status = 409
        else:
            messages.success(request, _("The premiere is called off.") if off else _("The premiere is announced."))
            return redirect("tournaments:premiere", slug, number)
    played.refresh_from_db()
    context = {"tournament": tournament, "round": played, "form": form, "may_change": premiere_may_change(played)}
    return render(request, "tournaments/premiere.html", context, status=422 if form.errors else status)


@require_safe
@login_required
def plan(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = own_tournament(request, slug)
    context = {"tournament": tournament, "rounds": plans_of(tournament)}
    return render(request, "tournaments/plan.html", context)


@require_http_methods(["GET", "POST"])
@login_required
def plan_round(request: HttpRequest, slug: str, stage_number: int, place: int) -> HttpResponse:
    tournament = own_tournament(request, slug)
    planned = planned_at(tournament, stage_number, place)
    if planned is None:
        raise Http404
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
            messages.success(request, _("The calendar is changed."))
            return redirect("tournaments:plan", slug)
    context = {"tournament": tournament, "planned": planned, "form": form}
    return render(request, "tournaments/plan_round.html", context, status=422 if form.errors else status)
