"""Files of a tournament: exports of its pages, FIDE's report for pairing programs, and its data set.

The data set is for signed-in users. On its page, the organiser chooses the licence.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from matches.datasets.page import DatasetPage, dataset_page_archive_require
from matches.datasets.rows import DatasetLicence
from tournaments.errors import TournamentError
from tournaments.models import Stage, Tournament
from tournaments.selectors.entering.visible import may_own_tournament
from tournaments.selectors.pages.exports import (
    DATASET,
    FIXTURE_COLUMNS,
    STANDINGS_COLUMNS,
    has_tournament_dataset,
    tournament_dataset_contents,
    tournament_dataset_games_counted,
    tournament_export_data,
    tournament_fixture_rows,
    tournament_report_of,
    tournament_standings_rows,
)
from tournaments.selectors.pages.proof_and_luck import (
    proof_head_of,
    proof_head_shown,
    tournament_lucks_shown,
    tournament_proof_of,
)
from tournaments.selectors.pages.tournament_page import tournament_entries_of
from tournaments.selectors.standings.tie_breaks import tournament_tie_breaks_of
from tournaments.services import tournament_chain_settle, tournament_dataset_licence_set
from tournaments.trf import trf_text
from tournaments.views.lookups import own_tournament, shown_tournament
from tournaments.views.pages import tournament_page_refused
from web.downloads import csv_response, download_limited, json_file_response, text_response, zip_response
from web.prepared.answers import prepared_answer_polls, prepared_response


@download_limited
@require_safe
def tournament_export_view(request: HttpRequest, slug: str, name: str) -> HttpResponseBase:
    tournament = shown_tournament(request, slug)
    filename = f"{tournament.slug}-{name}"
    if name == "tournament.json":
        return json_file_response(lambda: _data(request, tournament))
    if name == "standings.csv":
        codes = [one.code for one in tournament_tie_breaks_of(tournament)]
        columns = (*STANDINGS_COLUMNS, "games", "forfeited", *codes, "category")
        return csv_response(request, filename, columns, _standings(tournament))
    if name == "fixtures.csv":
        return csv_response(request, filename, FIXTURE_COLUMNS, _fixtures(tournament))
    if name == "proof.zip" and tournament.is_over and proof_head_of(tournament) is not None:
        return zip_response(filename, _proof(tournament))
    raise Http404(
        _("There is tournament.json, standings.csv and fixtures.csv; and proof.zip once the tournament is over.")
    )


def _data(request: HttpRequest, tournament: Tournament) -> Mapping[str, Any]:
    head = proof_head_shown(request.user, tournament)
    return tournament_export_data(
        tournament, tournament_entries_of(tournament), tournament_lucks_shown(request.user, tournament)
    ) | {"head": {"number": head.number, "digest": head.digest} if head else None}


def _standings(tournament: Tournament) -> Iterator[dict[str, Any]]:
    entries = tournament_entries_of(tournament)
    for stage in tournament.stages.all():
        for row in tournament_standings_rows(stage, entries):
            yield {"stage": stage.number, **row, **row["tie_breaks"]}


def _fixtures(tournament: Tournament) -> Iterator[dict[str, Any]]:
    entries = tournament_entries_of(tournament)
    for stage in tournament.stages.all():
        for row in tournament_fixture_rows(stage, entries):
            yield {"stage": stage.number, **row}


def _proof(tournament: Tournament) -> Iterator[bytes]:
    tournament_chain_settle(tournament=tournament)
    yield from tournament_proof_of(tournament)


@download_limited
@require_safe
def tournament_report_view(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """Send FIDE's report file of a stage at tables of two."""
    tournament = shown_tournament(request, slug)
    stage = get_object_or_404(Stage, tournament=tournament, number=number, started_at__isnull=False)
    if stage.players_per_table != 2:
        raise Http404(_("Only stages at tables of two have a FIDE report."))
    return text_response(
        f"{slug}-stage-{number}.trf", lambda: trf_text(tournament_report_of(stage, tournament_entries_of(tournament)))
    )


@require_http_methods(["GET", "HEAD", "POST"])
def tournament_dataset_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the page of the data set. A POST request of the organiser chooses the licence."""
    if request.method == "POST":
        tournament = own_tournament(request, slug)
        licence = request.POST.get("licence", "")
        if licence not in ("", *DatasetLicence.values):
            raise Http404
        try:
            tournament_dataset_licence_set(tournament=tournament, licence=licence)
        except TournamentError as error:
            return tournament_page_refused(request, slug, error)
        messages.success(request, _("Saved."))
        return redirect("tournaments:dataset", slug)
    tournament = shown_tournament(request, slug)
    owns = may_own_tournament(request.user, tournament) and tournament.state == "finished"
    offered = has_tournament_dataset(tournament)
    if not owns and not offered:
        raise Http404(_("This tournament offers no data set."))
    page = DatasetPage(
        request,
        DATASET,
        tournament,
        tournament_dataset_contents(tournament),
        games=tournament_dataset_games_counted(tournament),
        owns=owns,
        is_offered=offered,
        at=("tournaments:dataset", slug),
    )
    context = {"tournament": tournament, **page.context()}
    return prepared_answer_polls(render(request, "tournaments/dataset.html", context), page.files)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def tournament_dataset_download_view(request: HttpRequest, slug: str, name: str) -> HttpResponseBase:
    return tournament_dataset_response(request, slug, name, page=reverse("tournaments:dataset", args=[slug]))


def tournament_dataset_response(request: HttpRequest, slug: str, name: str, page: str = "") -> HttpResponseBase:
    """Order a file of the data set, or send it; see ``prepared_response``.

    Raises:
        Http404: there is no such file for this tournament.
    """
    tournament = shown_tournament(request, slug)
    if not has_tournament_dataset(tournament):
        raise Http404(_("This tournament offers no data set."))
    dataset_page_archive_require(name)
    return prepared_response(request, DATASET, tournament.pk, name, f"{slug}-{name}", page=page)
