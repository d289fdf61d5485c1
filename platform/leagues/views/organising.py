"""Actions of members and organisers on a league. Each POST calls one service.

``ACTIONS`` has the organiser's actions for the pages and the API. Settings and members are not in it, because for them
the form of the page and the API operation have different input.
"""

from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from contests.actions import Action
from contests.permissions import may_organise
from contests.views import organiser_request_page
from leagues.errors import JoinRefused, LeagueError, NotADraft
from leagues.forms import EditLeagueForm, JoinForm, LeagueForm, LeaveForm, league_form_initial
from leagues.models import League, LeagueState
from leagues.serializers import HouseBotsSerializer
from leagues.services import (
    league_bot_leave,
    league_bots_join,
    league_close,
    league_create,
    league_edit,
    league_open,
    league_pause,
    league_resume,
    league_update,
    season_dataset_licence_set,
    season_end,
    season_start,
)
from leagues.views.lookups import league_or_404, own_league, own_season
from leagues.views.pages import league_detail_view
from matches.datasets.page import DatasetOfferSerializer
from web.requests import request_user


@require_POST
@login_required
def league_act_view(request: HttpRequest, slug: str, action: str) -> HttpResponse:
    league = ACTIONS[action].who(request, slug)
    try:
        ACTIONS[action].do(request, league)
    except LeagueError as error:
        return _league_refusal_response(request, slug, error)
    return redirect("leagues:detail", slug)


@require_POST
@login_required
def league_join_view(request: HttpRequest, slug: str) -> HttpResponse:
    league = league_or_404(request, slug)
    user = request_user(request)
    form, said = JoinForm(request.POST, league=league, user=user), LeaveForm(request.POST)
    try:
        if form.is_valid() and said.is_valid():
            bots = form.cleaned_data["bots"]
            league_bots_join(league=league, bots=bots, by=user, reason=said.cleaned_data["reason"])
            sentence = ngettext(
                "%(bots)s has joined. Its new versions join automatically.",
                "%(bots)s have joined. Their new versions join automatically.",
                len(bots),
            )
            messages.success(request, sentence % {"bots": ", ".join(bot.name for bot in bots)})
            return redirect("leagues:detail", slug)
    except JoinRefused as error:
        form.add_error("bot", str(error))
    return league_detail_view(request, slug, join_form=form, status=422)


@require_POST
@login_required
def league_leave_view(request: HttpRequest, slug: str, membership_id: int) -> HttpResponse:
    league = league_or_404(request, slug)
    membership = get_object_or_404(league.memberships.select_related("bot", "league"), pk=membership_id)
    form = LeaveForm(request.POST)
    reason = form.cleaned_data["reason"] if form.is_valid() else ""
    try:
        league_bot_leave(membership=membership, by=request_user(request), reason=reason)
    except JoinRefused as error:
        return _league_refusal_response(request, slug, error, status=error.status)
    return redirect("leagues:detail", slug)


def _league_refusal_response(request: HttpRequest, slug: str, error: LeagueError, status: int = 409) -> HttpResponse:
    """Show the current page of the league with the reason above it."""
    messages.error(request, str(error))
    return league_detail_view(request, slug, status=status)


@login_required
def league_create_view(request: HttpRequest) -> HttpResponse:
    if not may_organise(request.user):
        return organiser_request_page(request)
    if request.method != "POST":
        initial = {name: request.GET[name] for name in ("game",) if name in request.GET}
        return _league_form_response(request, LeagueForm(initial=initial, organiser=request.user))
    if "choose" in request.POST:
        return _league_form_response(request, LeagueForm(initial=request.POST.dict(), organiser=request.user))
    form = LeagueForm(request.POST, organiser=request.user)
    if not form.is_valid():
        return _league_form_response(request, form, status=422)
    league = league_create(organiser=request_user(request), **form.cleaned_data["settings"])
    return redirect("leagues:detail", league.slug)


@login_required
def league_edit_view(request: HttpRequest, slug: str) -> HttpResponse:
    league = own_league(request, slug)
    owner = league.organiser
    try:
        if league.state != LeagueState.DRAFT:
            return _edit_announced(request, league)
        if request.method != "POST":
            return _league_form_response(
                request, LeagueForm(initial=league_form_initial(league), organiser=owner), league
            )
        if "choose" in request.POST:
            return _league_form_response(request, LeagueForm(initial=request.POST.dict(), organiser=owner), league)
        form = LeagueForm(request.POST, organiser=owner)
        if not form.is_valid():
            return _league_form_response(request, form, league, status=422)
        league_update(league=league, **form.cleaned_data["settings"])
    except NotADraft as error:
        return _league_refusal_response(request, slug, error)
    return redirect("leagues:detail", slug)


def _edit_announced(request: HttpRequest, league: League) -> HttpResponse:
    form = EditLeagueForm(request.POST or None, league=league)
    if form.is_valid():
        league_edit(league=league, **form.cleaned_data["settings"])
        return redirect("leagues:detail", league.slug)
    context = {"league": league, "form": form}
    return render(request, "leagues/edit.html", context, status=422 if form.errors else 200)


def _league_form_response(
    request: HttpRequest, form: LeagueForm, league: League | None = None, status: int = 200
) -> HttpResponse:
    return render(request, "leagues/form.html", {"form": form, "league": league}, status=status)


def _button(summary: str, service: Any) -> Action:
    return Action(own_league, service, "league", summary)


ACTIONS: Final = {
    "open": _button("Open a league: its first season begins", league_open),
    "end-season": _button("End the season that is running", season_end),
    "next-season": _button("Begin the next season", season_start),
    "pause": _button("Pause a league: no further matches are chosen", league_pause),
    "resume": _button("Let a paused league go on", league_resume),
    "close": _button("Close a league", league_close),
}
HOUSE_BOTS: Final = Action(
    *(own_league, league_bots_join, "league", "Enter house bots"),
    "All of them, or none if one cannot join. For the organiser.",
    body=HouseBotsSerializer,
    is_signed=True,
)
DATASET: Final = Action(
    *(own_season, season_dataset_licence_set, "season", "Offer the data set of a season under a licence"),
    "Once the season is over; who sees the league downloads it. For the organiser.",
    body=DatasetOfferSerializer,
)
