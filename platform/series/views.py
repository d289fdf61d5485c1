"""Pages of series: list, table, forms, feed and certificates."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.core.validators import slug_re
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from announcements.selectors import with_announcements
from contests.certificates import Certified, Sheet, certificates_page
from contests.game_settings_form import game_settings_colour, game_title
from contests.permissions import may_organise
from contests.views import organiser_request_page
from series import services
from series.forms import SeriesForm
from series.models import TournamentSeries
from series.selectors.table import EntrantRow, series_table
from series.selectors.visible import (
    may_own_series,
    series_events_offered,
    series_events_shown,
    series_feed_entries,
    series_listed,
    series_visible,
    with_series_event_counts,
)
from series.services import SeriesRefused
from tournaments.models import Tournament, TournamentState
from tournaments.selectors.entering.visible import may_own_tournament
from tournaments.selectors.pages.screens_and_feeds import tournaments_feed_entries
from tournaments.views.lookups import tournament_or_404
from web.feeds import feed_answer
from web.page_cache import LIST_SECONDS, cache_page_for, page_mark_unlisted, public_page
from web.requests import request_user


def series_or_404(request: HttpRequest, slug: str) -> TournamentSeries:
    """Return the series or raise Http404. Public pages may be cached for anonymous visitors."""
    series: TournamentSeries = get_object_or_404(with_announcements(series_visible(request.user), "series"), slug=slug)
    if series.is_unlisted:
        page_mark_unlisted(request)
    if series.is_open:
        cache_page_for(request, f"series.{series.pk}", LIST_SECONDS)
    return series


def own_series(request: HttpRequest, slug: str) -> TournamentSeries:
    """Return the series for its organiser and staff. Other users get a 403."""
    series = series_or_404(request, slug)
    if not may_own_series(request.user, series):
        raise PermissionDenied(_("Only the organiser of this series may do this."))
    return series


PAGE_SIZE: Final = 24
ROWS: Final = 100


@public_page(max_age=LIST_SECONDS, query=("page",))
@require_safe
def series_list_view(request: HttpRequest) -> HttpResponse:
    """List the series that the reader may find."""
    page = Paginator(with_series_event_counts(series_listed(request.user)), PAGE_SIZE).get_page(request.GET.get("page"))
    rows = [(one, game_title(one.game), game_settings_colour(one.game)) for one in page]
    return render(request, "series/list.html", {"page": page, "rows": rows})


@public_page(query=("page",))
@require_safe
def series_detail_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the table of a series, its finished tournaments and the coming ones."""
    series = series_or_404(request, slug)
    table = series_table(series)
    over = {one.pk for one in table.events}
    owns = may_own_series(request.user, series)
    others = [one for one in series_events_shown(series, request.user) if one.pk not in over]
    context = {
        "series": series,
        "game_title": game_title(series.game),
        "table": table,
        "rows": Paginator(table.rows, ROWS).get_page(request.GET.get("page")),
        "to_come": [one for one in others if one.state != TournamentState.CANCELLED],
        "owns": owns,
        "offered": series_events_offered(series) if owns else (),
        "events": series_events_shown(series, request.user) if owns else (),
    }
    return render(request, "series/detail.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def series_create_view(request: HttpRequest) -> HttpResponse:
    """Create a series. With ``?tournament=``, add this tournament to it."""
    if not may_organise(request.user):
        return organiser_request_page(request)
    first = _first_tournament(request)
    form = SeriesForm(request.POST or None, organiser=request.user)
    if first is not None and not form.is_bound:
        form.initial["game"] = first.game
    if request.method == "POST" and form.is_valid():
        series = services.series_create(organiser=request_user(request), **form.cleaned_data["settings"])
        if first is not None:
            _add(request, series, first)
        return redirect("series:detail", series.slug)
    return _series_form_response(request, form, first=first)


def _first_tournament(request: HttpRequest) -> Tournament | None:
    slug = request.GET.get("tournament", "")
    found = tournament_or_404(request, slug) if slug_re.match(slug) else None
    return found if found is not None and may_own_tournament(request.user, found) else None


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def series_edit_view(request: HttpRequest, slug: str) -> HttpResponse:
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
    return _series_form_response(request, form, series)


@login_required
@require_POST
def series_delete_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete a series."""
    services.series_delete(series=own_series(request, slug))
    messages.success(request, _("The series was deleted. Its tournaments are still there."))
    return redirect("series:list")


@login_required
@require_POST
def series_end_view(request: HttpRequest, slug: str) -> HttpResponse:
    """End a series, or reopen it if ``act`` is "reopen"."""
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
def series_event_add_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Add a tournament to the series."""
    series = own_series(request, slug)
    _add(request, series, tournament_or_404(request, request.POST.get("tournament", "")))
    return redirect("series:detail", slug)


@login_required
@require_POST
def series_event_remove_view(request: HttpRequest, slug: str, tournament: str) -> HttpResponse:
    """Remove a tournament from the series."""
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


def _series_form_response(
    request: HttpRequest, form: Any, series: TournamentSeries | None = None, first: Tournament | None = None
) -> HttpResponse:
    context = {"form": form, "series": series, "first_event": first}
    return render(request, "series/form.html", context, status=422 if form.errors else 200)


@public_page()
@require_safe
def series_feed_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the feed of a series that everyone with the address may see."""
    series = series_or_404(request, slug)
    if not series.is_open:
        raise Http404(_("Only what everyone can see has a feed."))
    entries = [*series_feed_entries([series]), *tournaments_feed_entries(series_events_shown(series, AnonymousUser()))]
    return feed_answer(request, series.name, reverse("series:detail", args=[slug]), entries)


@public_page(query=("page",))
@require_safe
def series_certificates_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Show all certificates, each on its own sheet. Before the series is over, say that there are none yet."""
    series = series_or_404(request, slug)
    return _page(request, series, _sheets(series, _certificate_rows(series)), is_single=False)


@public_page()
@require_safe
def series_certificate_view(request: HttpRequest, slug: str, bot_id: int) -> HttpResponse:
    """Show the certificate of the entrant for whom this bot counts.

    It is computed from the current table, so that a printed certificate can be checked.
    """
    series = series_or_404(request, slug)
    rows = _certificate_rows(series)
    found = [sheet for row, sheet in zip(rows, _sheets(series, rows), strict=True) if bot_id in row.bots]
    if not found:
        raise Http404(_("There is no such certificate."))
    return _page(request, series, found, is_single=True)


def _certificate_rows(series: TournamentSeries) -> Sequence[EntrantRow]:
    """Return the rows that get a certificate. Entrants that were disqualified in every event get none."""
    if series.ended_at is None:
        return ()
    rows = series_table(series).rows
    return [one for one in rows if any(cell and not cell.score.disqualified for cell in one.row.cells)]


def _sheets(series: TournamentSeries, rows: Iterable[EntrantRow]) -> list[Sheet]:
    rows = list(rows)
    ranks = [one.row.rank for one in rows]
    found = []
    for one in rows:
        bots = sorted(one.bots.values(), key=lambda bot: bot.pk)
        author = _("house bot") if one.entrant.is_house else ", ".join(bot.name for bot in bots[:3])
        points = number_format(one.total, 1 if one.total % 1 else 0)
        found.append(
            Sheet(
                name=one.entrant.name,
                author="" if one.entrant.is_bot and not one.entrant.is_house else author,
                bird=bots[0].slug,
                rank=one.row.rank,
                of=len(rows),
                is_shared=ranks.count(one.row.rank) > 1,
                within=_("Points: %(points)s") % {"points": points},
                path=reverse("series:certificate", args=[series.slug, bots[0].pk]),
            )
        )
    return found


def _page(request: HttpRequest, series: TournamentSeries, sheets: Sequence[Sheet], *, is_single: bool) -> HttpResponse:
    certified = Certified(
        name=series.name,
        page=reverse("series:detail", args=[series.slug]),
        game=game_title(series.game),
        organiser=series.organiser.get_username(),
        ended_at=series.ended_at,
        above=[(reverse("tournaments:list"), _("Tournaments")), (reverse("series:list"), _("Series"))],
        lead=_("There are certificates when the organiser has ended the series."),
    )
    return certificates_page(request, certified, sheets, is_single=is_single)
