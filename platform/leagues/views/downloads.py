"""Files of a season: exports, its proof, and the data set with its page, where the organiser chooses a licence."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from leagues.errors import LeagueError
from leagues.models import Season
from leagues.selectors.exports import (
    LADDER_COLUMNS,
    MATCH_COLUMNS,
    SEASON_DATASET,
    has_season_dataset,
    season_dataset_contents,
    season_dataset_games_counted,
    season_export_data,
    season_ladder_export_rows,
    season_match_export_rows,
    season_proof_export_of,
    season_records,
)
from leagues.selectors.ladder import ladder_of
from leagues.selectors.permissions import may_run_league
from leagues.services import season_dataset_licence_set
from leagues.views.lookups import own_season, season_or_404
from matches.datasets.page import DatasetPage, dataset_page_archive_require
from matches.datasets.rows import DatasetLicence
from web.downloads import (
    csv_response,
    download_lazily,
    download_limited,
    json_file_response,
    lines_response,
    zip_response,
)
from web.prepared.answers import prepared_answer_polls, prepared_response


@require_http_methods(["GET", "HEAD", "POST"])
def season_dataset_view(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the data set of a season. With a POST, the organiser chooses the licence."""
    if request.method == "POST":
        return _offered(request, own_season(request, slug, number))
    season = season_or_404(request, slug, number)
    owns = may_run_league(request.user, season.league) and not season.is_running
    offered = has_season_dataset(season)
    if not owns and not offered:
        raise Http404(_("This season offers no data set."))
    page = DatasetPage(
        request,
        SEASON_DATASET,
        season,
        season_dataset_contents(season),
        games=season_dataset_games_counted(season),
        owns=owns,
        is_offered=offered,
        at=("leagues:dataset", slug, number),
    )
    context = {"season": season, "league": season.league, **page.context()}
    return prepared_answer_polls(render(request, "leagues/dataset.html", context), page.files)


def _offered(request: HttpRequest, season: Season) -> HttpResponse:
    licence, address = request.POST.get("licence", ""), (season.league.slug, season.number)
    if licence not in ("", *DatasetLicence.values):
        raise Http404
    try:
        season_dataset_licence_set(season=season, licence=licence)
    except LeagueError as error:
        messages.error(request, str(error))
        return redirect("leagues:season", *address)
    messages.success(request, _("Saved."))
    return redirect("leagues:dataset", *address)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def season_dataset_download_view(request: HttpRequest, slug: str, number: int, name: str) -> HttpResponseBase:
    return season_dataset_file_view(request, slug, number, name, page=reverse("leagues:dataset", args=[slug, number]))


def season_dataset_file_view(
    request: HttpRequest, slug: str, number: int, name: str, page: str = ""
) -> HttpResponseBase:
    """Request a file of the data set, or send it if it is ready; see ``prepared_response``.

    Raises:
        Http404: there is no such file, or the season offers no data set.
    """
    season = season_or_404(request, slug, number)
    if not has_season_dataset(season):
        raise Http404(_("This season offers no data set."))
    dataset_page_archive_require(name)
    filename = f"{slug}-{number}-{name}"
    return prepared_response(request, SEASON_DATASET, season.pk, name, filename, page=page)


@download_limited
@require_safe
def season_export_view(request: HttpRequest, slug: str, number: int, name: str) -> HttpResponseBase:
    """Send a file of the season. It is the same for everybody who may see the season."""
    season = season_or_404(request, slug, number)
    if name == "season.json":
        return json_file_response(lambda: season_export_data(season, ladder_of(season)))
    if name == "ladder.csv":
        rows = download_lazily(lambda: season_ladder_export_rows(ladder_of(season)))
        return csv_response(request, f"{slug}-{number}-{name}", LADDER_COLUMNS, rows)
    if name == "matches.csv":
        return csv_response(request, f"{slug}-{number}-{name}", MATCH_COLUMNS, season_match_export_rows(season))
    if name == "records.jsonl":
        return lines_response(f"{slug}-{number}-{name}", season_records(season))
    if name == "proof.zip" and not season.is_running:
        return zip_response(f"{slug}-{number}-{name}", download_lazily(lambda: season_proof_export_of(season)))
    raise Http404(
        _("There is season.json, ladder.csv, matches.csv and records.jsonl; and proof.zip once the season has ended.")
    )
