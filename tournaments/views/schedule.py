"""The organiser says when rounds begin and are shown: those that are drawn, and those to come."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.calendar_forms import MoveForm, PlanForm
from tournaments.errors import TournamentError
from tournaments.models import Tournament
from tournaments.selectors.rounds.agenda import agenda_of
from tournaments.selectors.rounds.fixtures import held_of
from tournaments.selectors.rounds.plans import planned_at
from tournaments.selectors.rounds.timeline import MOVABLE, TimelineAct, timeline_of
from tournaments.services import act_move, round_plan_set
from tournaments.services.premieres import PremiereRefused
from tournaments.views.lookups import own_tournament


@require_safe
@login_required
def schedule(request: HttpRequest, slug: str) -> HttpResponse:
    return _page(request, slug)


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
        return _page(request, slug, status=409)
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
    return _page(request, slug, form, status=422 if form.errors else status)


@require_POST
@login_required
def schedule_act(request: HttpRequest, slug: str, act: str) -> HttpResponse:
    """Move an act of the timeline, or with ``stop`` have it no longer come by itself."""
    tournament = own_tournament(request, slug)
    if act not in MOVABLE:
        raise Http404
    form = MoveForm(request.POST, tournament=tournament, act=act, when=None)
    if "stop" not in request.POST and not form.is_valid():
        return _page(request, slug, form, status=422)
    try:
        act_move(tournament=tournament, act=act, when=None if "stop" in request.POST else form.cleaned_data["when"])
    except TournamentError as error:
        messages.error(request, str(error))
        return _page(request, slug, form, status=409)
    messages.success(request, _("Schedule saved."))
    return redirect("tournaments:plan", slug)


def _page(
    request: HttpRequest, slug: str, edited: PlanForm | MoveForm | None = None, status: int = 200
) -> HttpResponse:
    """Render the timeline, each act that may be moved with its form; ``edited``: the one that is open."""
    tournament = own_tournament(request, slug)
    held = held_of(tournament)
    playing = tournament.entries.filter(is_withdrawn=False).count()
    agenda = agenda_of(tournament, playing=playing, held=len(held), owns=True)
    rows = [(one, _form(tournament, one, edited)) for one in timeline_of(tournament, playing)]
    waiting = [one for one in agenda if one.what not in ("draft", "entries") and one.when is None]
    context = {"tournament": tournament, "rows": rows, "edited": edited, "waiting": waiting}
    return render(request, "tournaments/plan.html", context, status=status)


def _form(tournament: Tournament, one: TimelineAct, edited: PlanForm | MoveForm | None) -> PlanForm | MoveForm | None:
    if one.may_move:
        if isinstance(edited, MoveForm) and edited.act == one.act:
            return edited
        return MoveForm(tournament=tournament, act=one.act, when=one.when)
    if one.act != "round" or one.planned is None or one.planned.begun or tournament.is_over:
        return None
    if isinstance(edited, PlanForm) and edited.planned == one.planned:
        return edited
    return PlanForm(planned=one.planned)
