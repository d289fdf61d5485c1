"""The organiser's form: drafts, which nobody else sees, and what stays editable of a league that has opened."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from leagues.errors import NotADraft
from leagues.forms import EditLeagueForm, LeagueForm, initial_of
from leagues.models import League, LeagueState
from leagues.services import league_create, league_edit, league_update
from leagues.views.actions import refused
from leagues.views.lookups import own_league
from organisers.permissions import may_organise
from organisers.views import ask_page
from web.requests import signed_in


@login_required
def create(request: HttpRequest) -> HttpResponse:
    if not may_organise(request.user):
        return ask_page(request)
    if request.method != "POST":
        return _form(request, LeagueForm(initial={"game": request.GET["game"]} if "game" in request.GET else None))
    if "choose" in request.POST:
        return _form(request, LeagueForm(initial=request.POST.dict()))
    form = LeagueForm(request.POST)
    if not form.is_valid():
        return _form(request, form, status=422)
    league = league_create(organiser=signed_in(request), **form.cleaned_data["settings"])
    return redirect("leagues:detail", league.slug)


@login_required
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    league = own_league(request, slug)
    try:
        if league.state != LeagueState.DRAFT:
            return _edit_announced(request, league)
        if request.method != "POST":
            return _form(request, LeagueForm(initial=initial_of(league)), league)
        if "choose" in request.POST:
            return _form(request, LeagueForm(initial=request.POST.dict()), league)
        form = LeagueForm(request.POST)
        if not form.is_valid():
            return _form(request, form, league, status=422)
        league_update(league=league, **form.cleaned_data["settings"])
    except NotADraft as error:
        return refused(request, slug, error)
    return redirect("leagues:detail", slug)


def _edit_announced(request: HttpRequest, league: League) -> HttpResponse:
    form = EditLeagueForm(request.POST or None, initial=initial_of(league))
    if form.is_valid():
        league_edit(league=league, **form.cleaned_data)
        return redirect("leagues:detail", league.slug)
    context = {"league": league, "form": form}
    return render(request, "leagues/edit.html", context, status=422 if form.errors else 200)


def _form(request: HttpRequest, form: LeagueForm, league: League | None = None, status: int = 200) -> HttpResponse:
    return render(request, "leagues/form.html", {"form": form, "league": league}, status=status)
