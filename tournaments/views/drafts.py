"""The organiser's form. Organisers create drafts; nobody else sees one until it opens."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from organisers.permissions import may_organise
from organisers.views import ask_page
from tournaments.errors import TooMuchWork, TournamentError
from tournaments.forms import TournamentForm, initial_like, initial_of
from tournaments.models import Tournament, TournamentState
from tournaments.presets import PRESETS, preset_named
from tournaments.services import tournament_create, tournament_update
from tournaments.services.moves import require
from tournaments.views.found import own_tournament, tournament_or_404
from tournaments.views.refused import refused
from web.requests import signed_in


@login_required
def create(request: HttpRequest) -> HttpResponse:
    if not may_organise(request.user):
        return ask_page(request)
    if request.method != "POST":
        return _form(request, TournamentForm(initial=_asked(request)))
    if "choose" in request.POST:
        return _form(request, TournamentForm(initial=request.POST.dict()))
    form = TournamentForm(request.POST)
    if not form.is_valid():
        return _form(request, form, status=422)
    try:
        tournament = tournament_create(organiser=signed_in(request), **form.cleaned_data["settings"])
    except TooMuchWork as error:
        form.add_error(None, str(error))
        return _form(request, form, status=422)
    return redirect("tournaments:detail", tournament.slug)


def _asked(request: HttpRequest) -> dict[str, Any]:
    """What the address asks for: ?game=laghetti&format=swiss, ?preset=quick, or ?like= another tournament's name in
    addresses."""
    if "like" in request.GET:
        return initial_like(tournament_or_404(request, request.GET["like"]))
    asked = {name: request.GET[name] for name in ("game", "format") if name in request.GET}
    preset = preset_named(request.GET.get("preset", ""))
    return preset.initial(TournamentForm(initial=asked).ruleset) | asked if preset else asked


@login_required
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = own_tournament(request, slug)
    try:
        require(tournament, TournamentState.DRAFT)
        if request.method != "POST":
            return _form(request, TournamentForm(initial=initial_of(tournament)), tournament)
        if "choose" in request.POST:
            return _form(request, TournamentForm(initial=request.POST.dict()), tournament)
        form = TournamentForm(request.POST)
        if not form.is_valid():
            return _form(request, form, tournament, status=422)
        try:
            tournament_update(tournament=tournament, **form.cleaned_data["settings"])
        except TooMuchWork as error:
            form.add_error(None, str(error))
            return _form(request, form, tournament, status=422)
    except TournamentError as error:
        return refused(request, slug, error)
    return redirect("tournaments:detail", slug)


def _form(
    request: HttpRequest, form: TournamentForm, tournament: Tournament | None = None, status: int = 200
) -> HttpResponse:
    context: dict[str, Any] = {"form": form, "tournament": tournament}
    if tournament is None:
        context |= {"presets": PRESETS, "preset": request.GET.get("preset", "")}
    return render(request, "tournaments/form.html", context, status=status)
