"""The organiser's pages for rounds.

Swap bots in a waiting round and start it, plan when rounds begin and are shown, and move the acts of the timeline.
"""

from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.calendar_forms import MoveForm, PlanForm, PremiereForm
from tournaments.errors import TournamentError
from tournaments.models import Round, Tournament
from tournaments.selectors.rounds.agenda import tournament_agenda_of
from tournaments.selectors.rounds.fixtures import (
    fixture_entries_of_round,
    fixture_matches_held,
    fixture_pairings_of,
    fixture_tables_of_round,
)
from tournaments.selectors.rounds.plans import round_planned_at
from tournaments.selectors.rounds.timeline import MOVABLE, TimelineAct, tournament_timeline_of
from tournaments.services import (
    round_plan_premiere_set,
    round_plan_set,
    tournament_timeline_edit,
    waiting_round_places_swap,
    waiting_round_start,
)
from tournaments.services.round_planning import PremiereRefused, round_plan_premiere_may_change
from tournaments.services.waiting_rounds import RoundStarted, SwapBreaksRules
from tournaments.views.forbidden_pairs import PairForm
from tournaments.views.lookups import own_tournament
from tournaments.views.pages import tournament_page_refused
from web.requests import request_user

MOST_BREACHES: Final = 50
TABLES_PER_PAGE: Final = 60


@require_http_methods(["GET", "POST"])
@login_required
def round_arrange_view(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the tables of a waiting round. A POST request swaps two bots."""
    tournament = own_tournament(request, slug)
    played = get_object_or_404(Round, tournament=tournament, number=number)
    played.tournament = tournament
    played.stage = next(one for one in tournament.stages.all() if one.pk == played.stage_id)
    form = PairForm(
        request.POST or None, entries=fixture_entries_of_round(played), joined=gettext_lazy("changes places with")
    )
    breaches: tuple[str, ...] = ()
    if form.is_valid():
        try:
            accepted = request.POST.getlist("despite")[:MOST_BREACHES]
            waiting_round_places_swap(played=played, by=request_user(request), despite=accepted, **form.pair())
        except SwapBreaksRules as error:
            breaches = error.breaches
        except TournamentError as error:
            form.add_error(None, str(error))
        else:
            names = {"one": form.pair()["one"].bot.name, "other": form.pair()["other"].bot.name}
            messages.success(request, _("%(one)s and %(other)s have changed places.") % names)
            return redirect("tournaments:arrange", slug, number)
    numbers = fixture_tables_of_round(played.stage, number, drafts=True)
    page = Paginator(numbers, TABLES_PER_PAGE).get_page(request.GET.get("page"))
    tables = list(page)
    context = {
        "tournament": tournament,
        "round": played,
        "page": page,
        "pairings": fixture_pairings_of(played.stage, rounds=[number], drafts=True, tables=tables),
        "byes": tournament.entries.filter(byes__round=played).select_related("bot").order_by("byes__pk"),
        "form": form,
        "breaches": breaches,
    }
    return render(request, "tournaments/arrange.html", context, status=422 if form.errors or breaches else 200)


@require_POST
@login_required
def round_start_view(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    played = get_object_or_404(Round, tournament=own_tournament(request, slug), number=number)
    try:
        waiting_round_start(played=played)
    except RoundStarted as error:  # pressed twice, or in a second tab: the round has begun, as requested
        messages.info(request, str(error))
        return redirect("tournaments:detail", slug)
    except TournamentError as error:
        return tournament_page_refused(request, slug, error)
    messages.success(request, _("Round %(number)d has begun.") % {"number": number})
    return redirect("tournaments:detail", slug)


@require_http_methods(["GET", "POST"])
@login_required
def round_premiere_view(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the premiere of a round. A POST request sets the premiere; with ``call_off``, it cancels the premiere."""
    tournament = own_tournament(request, slug)
    played = get_object_or_404(Round.objects.select_related("tournament"), tournament=tournament, number=number)
    off = "call_off" in request.POST
    form = PremiereForm(None if off else request.POST or None, played=played)
    status = 200
    if off or form.is_valid():
        try:
            wanted = {"premieres_at": None} if off else {"tempo": played.tempo, **form.cleaned_data}
            round_plan_premiere_set(played=played, **wanted)
        except PremiereRefused as error:
            form.add_error(error.field, str(error))
        except TournamentError as error:
            messages.error(request, str(error))
            status = 409
        else:
            messages.success(request, _("The premiere was cancelled.") if off else _("The premiere is announced."))
            return redirect("tournaments:premiere", slug, number)
    played.refresh_from_db()
    context = {
        "tournament": tournament,
        "round": played,
        "form": form,
        "may_change": round_plan_premiere_may_change(played),
    }
    return render(request, "tournaments/premiere.html", context, status=422 if form.errors else status)


@require_safe
@login_required
def tournament_schedule_view(request: HttpRequest, slug: str) -> HttpResponse:
    return _page(request, slug)


@require_http_methods(["GET", "POST"])
@login_required
def tournament_schedule_round_view(request: HttpRequest, slug: str, stage_number: int, place: int) -> HttpResponse:
    """Show the schedule with the form of a round open. A POST request sets the times of the round."""
    tournament = own_tournament(request, slug)
    planned = round_planned_at(tournament, stage_number, place)
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
def tournament_schedule_act_view(request: HttpRequest, slug: str, act: str) -> HttpResponse:
    """Move an act of the timeline. With ``stop``, the act does not happen automatically any more."""
    tournament = own_tournament(request, slug)
    if act not in MOVABLE:
        raise Http404
    form = MoveForm(request.POST, tournament=tournament, act=act, when=None)
    if "stop" not in request.POST and not form.is_valid():
        return _page(request, slug, form, status=422)
    try:
        tournament_timeline_edit(
            tournament=tournament, act=act, when=None if "stop" in request.POST else form.cleaned_data["when"]
        )
    except TournamentError as error:
        messages.error(request, str(error))
        return _page(request, slug, form, status=409)
    messages.success(request, _("Schedule saved."))
    return redirect("tournaments:plan", slug)


def _page(
    request: HttpRequest, slug: str, edited: PlanForm | MoveForm | None = None, status: int = 200
) -> HttpResponse:
    """Render the timeline, with a form for each act that may be moved. ``edited`` is the form that is open."""
    tournament = own_tournament(request, slug)
    held = fixture_matches_held(tournament)
    playing = tournament.entries.filter(is_withdrawn=False).count()
    agenda = tournament_agenda_of(tournament, playing=playing, held=len(held), owns=True)
    rows = [(one, _plan_form(tournament, one, edited)) for one in tournament_timeline_of(tournament, playing)]
    waiting = [one for one in agenda if one.what not in ("draft", "entries") and one.when is None]
    context = {"tournament": tournament, "rows": rows, "edited": edited, "waiting": waiting}
    return render(request, "tournaments/plan.html", context, status=status)


def _plan_form(
    tournament: Tournament, one: TimelineAct, edited: PlanForm | MoveForm | None
) -> PlanForm | MoveForm | None:
    if one.may_move:
        if isinstance(edited, MoveForm) and edited.act == one.act:
            return edited
        return MoveForm(tournament=tournament, act=one.act, when=one.when)
    if one.act != "round" or one.planned is None or one.planned.begun or tournament.is_over:
        return None
    if isinstance(edited, PlanForm) and edited.planned == one.planned:
        return edited
    return PlanForm(planned=one.planned)
