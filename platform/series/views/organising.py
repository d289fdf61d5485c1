"""Creating, changing and deleting a series, and what is in it."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from contests.permissions import may_organise
from contests.views import ask_page
from series import services
from series.errors import SeriesRefused
from series.forms import SeriesForm
from series.models import TournamentSeries
from series.views.pages import own_series
from tournaments.models import Tournament
from tournaments.selectors.entering.visible import may_own
from tournaments.views.lookups import tournament_or_404
from web.requests import signed_in


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: HttpRequest) -> HttpResponse:
    """Create a series; with ?tournament= this one is put into it."""
    if not may_organise(request.user):
        return ask_page(request)
    first = _first(request)
    form = SeriesForm(request.POST or None, organiser=request.user)
    if first is not None and not form.is_bound:
        form.initial["game"] = first.game
    if request.method == "POST" and form.is_valid():
        series = services.series_create(organiser=signed_in(request), **form.cleaned_data["settings"])
        if first is not None:
            _add(request, series, first)
        return redirect("series:detail", series.slug)
    return _form(request, form, first=first)


def _first(request: HttpRequest) -> Tournament | None:
    slug = request.GET.get("tournament", "")
    found = tournament_or_404(request, slug) if slug else None
    return found if found is not None and may_own(request.user, found) else None


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    """Change a series."""
    series = own_series(request, slug)
    form = SeriesForm(request.POST or None, series=series)
    if request.method == "POST" and form.is_valid():
        try:
            services.series_update(series=series, **form.cleaned_data["settings"])
        except SeriesRefused as error:
            form.add_error(error.field if error.field in form.fields else None, str(error))
        else:
            messages.success(request, _("The series was changed."))
            return redirect("series:detail", slug)
    return _form(request, form, series)


@login_required
@require_POST
def delete(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete a series."""
    services.series_delete(series=own_series(request, slug))
    messages.success(request, _("The series was deleted. Its tournaments are still there."))
    return redirect("series:list")


@login_required
@require_POST
def end(request: HttpRequest, slug: str) -> HttpResponse:
    """End a series, or with ``act`` "reopen" take that back."""
    series = own_series(request, slug)
    try:
        if request.POST.get("act") == "reopen":
            services.series_reopen(series=series)
        else:
            services.series_end(series=series)
    except SeriesRefused as error:
        messages.error(request, str(error))
    return redirect("series:detail", slug)


@login_required
@require_POST
def add(request: HttpRequest, slug: str) -> HttpResponse:
    """Put a tournament into it."""
    series = own_series(request, slug)
    _add(request, series, tournament_or_404(request, request.POST.get("tournament", "")))
    return redirect("series:detail", slug)


@login_required
@require_POST
def remove(request: HttpRequest, slug: str, tournament: str) -> HttpResponse:
    """Take a tournament out of it."""
    series = own_series(request, slug)
    found = get_object_or_404(Tournament, series_event__series=series, slug=tournament)
    try:
        services.series_remove(series=series, tournament=found)
    except SeriesRefused as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("%(name)s is no longer in the series.") % {"name": found.name})
    return redirect("series:detail", slug)


def _add(request: HttpRequest, series: TournamentSeries, tournament: Tournament) -> None:
    try:
        services.series_add(series=series, tournament=tournament)
    except SeriesRefused as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("%(name)s is in the series.") % {"name": tournament.name})


def _form(
    request: HttpRequest, form: Any, series: TournamentSeries | None = None, first: Tournament | None = None
) -> HttpResponse:
    context = {"form": form, "series": series, "first": first}
    return render(request, "series/form.html", context, status=422 if form.errors else 200)
