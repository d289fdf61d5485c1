"""The organiser's forms: drafts, which nobody else sees, copies, and edits of announced tournaments."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from contests.game_settings_form import game_settings_limit_labels, game_settings_option_labels, game_title
from contests.permissions import may_organise, organiser_permission_require
from contests.views import organiser_request_page
from tournaments.errors import EditRefused, EditStale, TemplateRefused, TooLarge, TournamentError
from tournaments.formats.format import Plan
from tournaments.forms import AnnouncedForm, TournamentForm, tournament_form_initial
from tournaments.models import Stage, Tournament, TournamentTemplate
from tournaments.presets import PRESETS, tournament_preset_named
from tournaments.selectors.entering.editing import Editing, tournament_edit_basis, tournament_editing_of
from tournaments.selectors.standings.tie_breaks import tournament_tie_breaks_of
from tournaments.services import (
    tournament_create,
    tournament_create_from,
    tournament_draft_update,
    tournament_edit,
)
from tournaments.services.drafting import draft_stages_of
from tournaments.services.round_planning import PremiereRefused
from tournaments.template_settings import (
    EVENT,
    TEMPLATE,
    template_settings_initial,
    template_settings_named,
    template_settings_offered,
    template_settings_time_typed,
    template_settings_times_mover,
)
from tournaments.views.lookups import own_tournament
from tournaments.views.pages import tournament_page_refused
from tournaments.workload import (
    Workload,
    workload_allowance_of,
    workload_plan_of_stages,
    workload_planned,
    workload_taken,
)
from web.requests import request_user


@login_required
def tournament_create_view(request: HttpRequest) -> HttpResponse:
    if not may_organise(request.user):
        return organiser_request_page(request)
    if request.method != "POST":
        return _draft_form_response(
            request, TournamentForm(initial=_initial_from_query(request), organiser=request.user)
        )
    if {"choose", "preset", "use"} & request.POST.keys():
        return _draft_form_response(
            request, TournamentForm(initial=_form_values_typed(request), organiser=request.user)
        )
    form = TournamentForm(request.POST, organiser=request.user)
    if not form.is_valid():
        return _draft_form_response(request, form, status=422)
    try:
        tournament = _created(request, form.cleaned_data["settings"])
    except (TemplateRefused, TooLarge, PremiereRefused) as error:
        form.add_error(None, str(error))
        return _draft_form_response(request, form, status=422)
    return redirect("tournaments:detail", tournament.slug)


def _created(request: HttpRequest, settings: Mapping[str, Any]) -> Tournament:
    organiser, start = request_user(request), _start(request)
    if start is None:
        if _start_code(request):
            sentence = _("The template is not there any more. Save again without its questions and planned rounds.")
            raise TemplateRefused("", sentence)
        return tournament_create(organiser=organiser, **settings)
    moved = template_settings_times_mover(start, settings)
    return tournament_create_from(organiser=organiser, template=start, moved=moved, **settings)


def _initial_from_query(request: HttpRequest) -> dict[str, Any]:
    """Return the initial values from the query string.

    E.g. ?game=laghetti&format=swiss, ?audience=group:class-10b, ?preset=quick, ?like= with the slug of another
    tournament, or ?template= with the number of a template.
    """
    if chosen := _start_code(request):
        start = template_settings_named(request_user(request), chosen)
        if start is None:
            raise Http404
        return _started(start) | {"name": ""}
    initial = {name: request.GET[name] for name in ("game", "format", "audience") if name in request.GET}
    return _preset(request.GET, initial) | initial


def _form_values_typed(request: HttpRequest) -> dict[str, Any]:
    """Return the values that were typed so far.

    If a preset or a template was chosen meanwhile, the values of its fields replace them.
    """
    typed = request.POST.dict()
    if "use" in request.POST and (start := _start(request)):
        fields = _started(start, template_settings_time_typed(typed.get("first_round_at", "")))
        return (fields or typed) | {"name": typed.get("name", "")}
    return typed | _preset(request.POST, typed)


def _start_code(request: HttpRequest) -> str:
    """Return the code of the template or event from which the form starts.

    It is in the address, in the current choice, or in the choice before. If a preset is chosen, there is none.
    """
    if request.method != "POST":
        given = ((kind, request.GET.get(name)) for name, kind in (("like", EVENT), ("template", TEMPLATE)))
        return next((f"{kind}{value}" for kind, value in given if value is not None), "")
    if "preset" in request.POST:
        return ""
    return request.POST.get("from" if "use" in request.POST else "start", "")


def _start(request: HttpRequest) -> TournamentTemplate | None:
    return template_settings_named(request_user(request), _start_code(request))


def _started(start: TournamentTemplate, first_round_at: datetime | None = None) -> dict[str, Any]:
    try:
        return template_settings_initial(start, first_round_at=first_round_at)
    except TemplateRefused:
        return {}


def _preset(chosen: QueryDict, shown: dict[str, Any]) -> dict[str, Any]:
    preset = tournament_preset_named(chosen.get("preset", ""))
    return preset.initial(TournamentForm(initial=shown).ruleset) if preset else {}


@login_required
def tournament_edit_view(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = own_tournament(request, slug)
    editing, owner = tournament_editing_of(tournament), tournament.organiser
    try:
        if editing is not Editing.EVERYTHING:
            return _edit_announced(request, tournament)
        if request.method != "POST":
            return _draft_form_response(
                request, TournamentForm(initial=tournament_form_initial(tournament), organiser=owner), tournament
            )
        if "choose" in request.POST:
            return _draft_form_response(
                request, TournamentForm(initial=request.POST.dict(), organiser=owner), tournament
            )
        form = TournamentForm(request.POST, organiser=owner)
        if not form.is_valid():
            return _draft_form_response(request, form, tournament, status=422)
        try:
            tournament_draft_update(
                tournament=tournament, basis=_edit_basis_of(request), **form.cleaned_data["settings"]
            )
        except TooLarge as error:
            form.add_error(None, str(error))
            return _draft_form_response(request, form, tournament, status=422)
        except EditRefused as error:
            form.add_error(error.field if error.field in form.fields else None, str(error))
            return _draft_form_response(request, form, tournament, status=422)
    except EditStale as error:
        return _edit_again(request, tournament, error)
    except TournamentError as error:
        return tournament_page_refused(request, slug, error)
    return redirect("tournaments:detail", slug)


def _edit_announced(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Edit the fields of an announced tournament that may still be edited."""
    form = AnnouncedForm(request.POST if request.method == "POST" else None, tournament=tournament)
    if not form.is_bound:
        return _announced(request, form, tournament)
    if form.is_valid():
        try:
            tournament_edit(tournament=tournament, basis=_edit_basis_of(request), **form.cleaned_data["settings"])
            return redirect("tournaments:detail", tournament.slug)
        except EditRefused as error:
            form.add_error(error.field if error.field in form.fields else None, str(error))
        except TooLarge as error:
            form.add_error(None, str(error))
    return _announced(request, form, tournament, status=422)


def _edit_again(request: HttpRequest, tournament: Tournament, error: EditStale) -> HttpResponse:
    """Show the form for the current state, with the typed values in fields that may still be edited."""
    tournament.refresh_from_db()
    editing = tournament_editing_of(tournament)
    if editing is Editing.EVERYTHING:
        form = TournamentForm(request.POST, organiser=tournament.organiser)
        form.add_error(None, str(error))
        return _draft_form_response(request, form, tournament, status=409)
    announced = AnnouncedForm(request.POST, tournament=tournament)
    announced.add_error(None, str(error))
    return _announced(request, announced, tournament, status=409)


def _edit_basis_of(request: HttpRequest) -> str:
    return request.POST.get("basis", "")


def _basis_shown(request: HttpRequest, tournament: Tournament, status: int) -> str:
    """Return the basis of a form.

    A form may be shown again because of errors, or because another game was chosen. Then it keeps the basis with which
    it was shown first.
    """
    return _edit_basis_of(request) if request.method == "POST" and status != 409 else tournament_edit_basis(tournament)


def _draft_form_response(
    request: HttpRequest, form: TournamentForm, tournament: Tournament | None = None, status: int = 200
) -> HttpResponse:
    context: dict[str, Any] = {"form": form, "tournament": tournament}
    if tournament is None:
        context |= {
            "presets": PRESETS,
            "preset": form.preset(),
            "starts": template_settings_offered(request_user(request)),
        }
        context |= {"start_code": _start_code(request), "start": _start(request)}
    else:
        context["basis"] = _basis_shown(request, tournament, status)
    return render(request, "tournaments/form.html", context, status=status)


def _announced(request: HttpRequest, form: AnnouncedForm, tournament: Tournament, status: int = 200) -> HttpResponse:
    context = {
        "form": form,
        "tournament": tournament,
        "basis": _basis_shown(request, tournament, status),
        "editing": tournament_editing_of(tournament).value,
        "game_title": game_title(tournament.game),
        "options": game_settings_option_labels(tournament.ruleset, tournament.options),
        "limits": game_settings_limit_labels(tournament.limits),
        "tie_breaks": tournament_tie_breaks_of(tournament),
        "by_fide": any(stage.has_fide_tie_breaks for stage in tournament.stages.all()),
    }
    return render(request, "tournaments/edit.html", context, status=status)


@require_POST
@login_required
def tournament_draft_estimate_view(request: HttpRequest) -> HttpResponse:
    """Show the estimate for the form. It is left out while the form has errors."""
    organiser_permission_require(request.user)
    organiser = request_user(request)
    form = TournamentForm(request.POST, organiser=organiser)
    form.full_clean()
    can_be_read = not set(form.errors) - {"name"}  # the name may still be missing
    stages, plan, workload = tournament_draft_view_planned(form) if can_be_read else ((), None, None)
    context = {
        "stages": stages,
        "plan": plan,
        "workload": workload,
        "allowed": workload_allowance_of(organiser),
        "taken": workload_taken(organiser, but=request.POST.get("slug", "")),
    }
    return render(request, "tournaments/parts/review.html", context)


def tournament_draft_view_planned(form: TournamentForm) -> tuple[Sequence[Stage], Plan | None, Workload]:
    """Return the stages of a valid form, their plan, and the workload.

    The plan is for the greatest number of bots; None if these are too few for a table.
    """
    typed = form.cleaned_data["settings"]
    tournament = Tournament(ruleset=form.ruleset.id, limits=typed["limits"].to_dict())
    entries = typed["entrants_most"]
    stages = draft_stages_of(tournament, typed["stages"])
    plan = workload_plan_of_stages(stages, entries)
    return stages, plan, workload_planned(tournament, plan, entries)
