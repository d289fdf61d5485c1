"""The data set of a tournament: its page, where the organiser chooses a licence, and its files for who is signed in."""

from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe
from rest_framework.request import Request

from tournaments.errors import TournamentError
from tournaments.models import DatasetLicence
from tournaments.selectors.entering.visible import may_own
from tournaments.selectors.pages.datasets import bibtex, dataset_archive, games_counted, has_dataset, parquet_archive
from tournaments.selectors.pages.parquet import has_parquet
from tournaments.services import dataset_licence_set
from tournaments.views.exports import file_shared
from tournaments.views.lookups import own_tournament, shown_tournament
from tournaments.views.refused import refused
from web.downloads import later, zip_response
from web.email import link_to
from web.errors import Refusal
from web.limits import too_many
from web.throttle import AuthorThrottle

MADE_BY: Final = {"dataset.zip": dataset_archive, "dataset-parquet.zip": parquet_archive}


class DatasetTooOften(Refusal):
    """One has taken as many as one may for now: every game is played again for each."""

    code = "throttled"
    status = 429

    def __init__(self, wait: int) -> None:
        self.wait = wait
        super().__init__(_("You have downloaded many data sets. Wait, then try again."))


class _ThrottleScope:
    """Stands for what the throttle asks for its scope; pages and the API share one count."""

    throttle_scope = "datasets"


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
    if not owns and not has_dataset(tournament):
        raise Http404(_("This tournament offers no data set."))
    offered = has_dataset(tournament)
    page = link_to("tournaments:detail", slug)
    context = {
        "tournament": tournament,
        "owns": owns,
        "offered": offered,
        "licences": DatasetLicence.choices,
        "has_parquet": has_parquet(),
        "games": games_counted(tournament),
        "citation": bibtex(tournament, page) if offered else "",
    }
    return render(request, "tournaments/dataset.html", context)


@require_safe
@login_required
def download(request: HttpRequest, slug: str, name: str) -> HttpResponseBase:
    try:
        return dataset_file(request, slug, name)
    except DatasetTooOften as error:
        return too_many(request, error.wait)


def dataset_file(request: HttpRequest, slug: str, name: str) -> StreamingHttpResponse:
    """Return a file of the data set, and count it for who is signed in.

    Raises:
        Http404: there is no such file, or not here.
        DatasetTooOften: it is one too many.
    """
    if not request.user.is_authenticated:
        raise PermissionDenied
    tournament = shown_tournament(request, slug)
    if name not in MADE_BY or not has_dataset(tournament):
        raise Http404(_("This tournament offers no data set."))
    if name == "dataset-parquet.zip" and not has_parquet():
        raise Http404(_("This site has no Parquet files: pyarrow is not installed."))
    throttle, asked = AuthorThrottle(), Request(request)
    asked.user = request.user
    if not throttle.allow_request(asked, _ThrottleScope()):
        raise DatasetTooOften(int(throttle.wait()) + 1)
    made = zip_response(f"{slug}-{name}", later(lambda: MADE_BY[name](tournament)))
    # It costs a web thread some 20 ms a game, so those without a part in the tournament share one.
    answer = file_shared(request, tournament, f"{tournament.dataset_licence}/{name}", made)
    answer["Cache-Control"] = "private, no-store"
    return answer
