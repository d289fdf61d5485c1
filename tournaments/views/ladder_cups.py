"""Cups of a league's ladder: the list of cups, and the organiser's form for a new cup."""

from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from leagues.models import Season
from leagues.views.lookups import league_or_404, own_league
from tournaments.errors import CupRefused, TournamentError
from tournaments.ladder_cup_form import LadderCupForm
from tournaments.selectors.pages.ladder_cups import ladder_cup_field, ladder_cups_of, ladder_cups_shown
from tournaments.services import ladder_cup_create, weekly_cup_create, weekly_cup_end
from tournaments.views.lookups import ladder_cup_season_or_404, weekly_cup_or_404
from web.page_cache import public_page
from web.zones import zone_clock_text

PER_PAGE: Final = 24


@public_page(query=("page",))
@require_safe
def ladder_cup_list_view(request: HttpRequest, slug: str) -> HttpResponse:
    league = league_or_404(request, slug)
    page = Paginator(ladder_cups_of(league, request.user), PER_PAGE).get_page(request.GET.get("page"))
    context = {"league": league, "page_obj": page, "cups": ladder_cups_shown(page)}
    return render(request, "tournaments/league_cups.html", context)


@require_http_methods(["GET", "POST"])
@login_required
def ladder_cup_create_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form with the bots that would be entered. A POST request creates a cup.

    With ``look``, a POST request creates nothing, and shows the bots for the typed values.
    """
    season = ladder_cup_season_or_404(request, slug)
    if request.method != "POST" or "look" in request.POST:
        return _cup_form_response(request, season, LadderCupForm(league=season.league, initial=request.POST.dict()))
    form = LadderCupForm(request.POST, league=season.league)
    if form.is_valid():
        settings = form.cleaned_data["settings"]
        try:
            if form.cleaned_data["is_weekly"]:
                weekly = weekly_cup_create(season=season, **settings)
                sentence = _("It is planned: the first cup opens on %(when)s.")
                messages.success(request, sentence % {"when": zone_clock_text(weekly.opens_at, weekly.time_zone)})
                return redirect("leagues:detail", slug)
            cup = ladder_cup_create(season=season, **settings)
        except TournamentError as error:
            form.add_error(error.field if error.field in form.fields else None, str(error))
        else:
            count = cup.entries.count()
            sentence = ngettext("%(count)d bot is entered.", "%(count)d bots are entered.", count)
            messages.success(request, sentence % {"count": count})
            return redirect("tournaments:detail", cup.slug)
    return _cup_form_response(request, season, form, status=422)


@require_POST
@login_required
def weekly_cup_end_view(request: HttpRequest, slug: str) -> HttpResponse:
    """End the weekly cup, so that no more cups are created."""
    league = own_league(request, slug)
    try:
        weekly_cup_end(weekly=weekly_cup_or_404(league))
    except CupRefused as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("The weekly cup has ended. The cups that were made go on."))
    return redirect("leagues:detail", slug)


def _cup_form_response(request: HttpRequest, season: Season, form: LadderCupForm, status: int = 200) -> HttpResponse:
    field = ladder_cup_field(season, form.best_wished)
    context = {"league": season.league, "season": season, "form": form, "field": field}
    return render(request, "tournaments/ladder_cup_form.html", context, status=status)
