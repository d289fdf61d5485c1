"""Files of a tournament: what its pages show, for programs; and FIDE's report for pairing programs."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.models import Stage, Tournament
from tournaments.selectors.pages.exports import (
    FIXTURE_COLUMNS,
    STANDINGS_COLUMNS,
    fixture_rows,
    report_of,
    standings_rows,
    tournament_data,
)
from tournaments.selectors.pages.luck import lucks_shown
from tournaments.selectors.pages.proof import head_of, head_shown, proof_of
from tournaments.selectors.pages.tournament_page import entries_of, tie_breaks_of
from tournaments.services import chain_settle
from tournaments.trf import written
from tournaments.views.lookups import shown_tournament
from web.downloads import computed_file, csv_response, json_response, text_response, zip_response


@computed_file
@require_safe
def export(request: HttpRequest, slug: str, name: str) -> HttpResponseBase:
    tournament = shown_tournament(request, slug)
    filename = f"{tournament.slug}-{name}"
    if name == "tournament.json":
        return json_response(lambda: _data(request, tournament))
    if name == "standings.csv":
        codes = [one.code for one in tie_breaks_of(tournament)]
        columns = (*STANDINGS_COLUMNS, "games", "forfeited", *codes, "category")
        return csv_response(request, filename, columns, _standings(tournament))
    if name == "fixtures.csv":
        return csv_response(request, filename, FIXTURE_COLUMNS, _fixtures(tournament))
    if name == "proof.zip" and tournament.is_over and head_of(tournament) is not None:
        return zip_response(filename, _proof(tournament))
    raise Http404(
        _("There is tournament.json, standings.csv and fixtures.csv; and proof.zip once the tournament is over.")
    )


def _data(request: HttpRequest, tournament: Tournament) -> Mapping[str, Any]:
    head = head_shown(request.user, tournament)
    return tournament_data(tournament, entries_of(tournament), lucks_shown(request.user, tournament)) | {
        "head": {"number": head.number, "digest": head.digest} if head else None
    }


def _standings(tournament: Tournament) -> Iterator[dict[str, Any]]:
    entries = entries_of(tournament)
    for stage in tournament.stages.all():
        for row in standings_rows(stage, entries):
            yield {"stage": stage.number, **row, **row["tie_breaks"]}


def _fixtures(tournament: Tournament) -> Iterator[dict[str, Any]]:
    entries = entries_of(tournament)
    for stage in tournament.stages.all():
        for row in fixture_rows(stage, entries):
            yield {"stage": stage.number, **row}


def _proof(tournament: Tournament) -> Iterator[bytes]:
    chain_settle(tournament=tournament)
    yield from proof_of(tournament)


@computed_file
@require_safe
def report(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """Send FIDE's report file of a stage at tables of two."""
    tournament = shown_tournament(request, slug)
    stage = get_object_or_404(Stage, tournament=tournament, number=number, started_at__isnull=False)
    if stage.players_per_table != 2:
        raise Http404(_("Only stages at tables of two have a FIDE report."))
    return text_response(f"{slug}-stage-{number}.trf", lambda: written(report_of(stage, entries_of(tournament))))
