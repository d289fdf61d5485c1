"""The data set of a tournament: its page, where the organiser chooses a licence, and its files for who is signed in."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from matches.datasets.event import DatasetLicence
from matches.datasets.page import DatasetPage, archive_require
from tournaments.errors import TournamentError
from tournaments.prepared import DATASET
from tournaments.selectors.entering.visible import may_own
from tournaments.selectors.pages.datasets import dataset_event, games_counted, has_dataset
from tournaments.services import dataset_licence_set
from tournaments.views.lookups import own_tournament, shown_tournament
from tournaments.views.refused import refused
from web.prepared.answers import keep_looking, prepared_response


@require_http_methods(["GET", "HEAD", "POST"])
def dataset(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what there is; a POST of the organiser chooses the licence."""
    if request.method == "POST":
        tournament = own_tournament(request, slug)
        licence = request.POST.get("licence", "")
        if licence not in ("", *DatasetLicence.values):
            raise Http404
        try:
            dataset_licence_set(tournament=tournament, licence=licence)
        except TournamentError as error:
            return refused(request, slug, error)
        messages.success(request, _("Saved."))
        return redirect("tournaments:dataset", slug)
    tournament = shown_tournament(request, slug)
    owns = may_own(request.user, tournament) and tournament.state == "finished"
    offered = has_dataset(tournament)
    if not owns and not offered:
        raise Http404(_("This tournament offers no data set."))
    page = DatasetPage(
        request,
        DATASET,
        tournament,
        dataset_event(tournament),
        games=games_counted(tournament),
        owns=owns,
        is_offered=offered,
        at=("tournaments:dataset", slug),
    )
    context = {"tournament": tournament, **page.context()}
    return keep_looking(render(request, "tournaments/dataset.html", context), page.files)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def download(request: HttpRequest, slug: str, name: str) -> HttpResponseBase:
    return dataset_file(request, slug, name, page=reverse("tournaments:dataset", args=[slug]))


def dataset_file(request: HttpRequest, slug: str, name: str, page: str = "") -> HttpResponseBase:
    """Order a file of the data set, or send it; see ``prepared_response``.

    Raises:
        Http404: there is no such file, or not here.
    """
    tournament = shown_tournament(request, slug)
    if not has_dataset(tournament):
        raise Http404(_("This tournament offers no data set."))
    archive_require(name)
    return prepared_response(request, DATASET, tournament.pk, name, f"{slug}-{name}", page=page)
