"""The sources that a tournament has released: a list, a page for each, and the files.

Before the release, the views respond with 404 to everybody.
"""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from bots.source_listing import source_file_listed, source_paths_sorted
from bots.upload_errors import UploadError
from bots.views import bot_source_response
from tournaments.models import Tournament
from tournaments.selectors.pages.exports import SOURCES, SOURCES_ARCHIVE
from tournaments.selectors.pages.sources import (
    AT_ONCE,
    ReleasedSource,
    tournament_source_released,
    tournament_source_versions_of,
    tournament_source_with_licence,
    tournament_sources_of,
)
from tournaments.views.lookups import tournament_with_sources_or_404
from web.page_cache import public_page
from web.prepared.answers import prepared_answer_offer, prepared_answer_polls, prepared_response


@public_page(query=("page",))
@require_safe
def tournament_sources_view(request: HttpRequest, slug: str) -> HttpResponse:
    """List the versions that played."""
    tournament = tournament_with_sources_or_404(request, slug)
    page = Paginator(tournament_source_versions_of(tournament), AT_ONCE).get_page(request.GET.get("page"))
    rows = [tournament_source_with_licence(one) for one in tournament_sources_of(tournament, page)]
    files = []
    if request.user.is_authenticated:
        address = reverse("tournaments:sources-archive", args=[slug])
        files = [prepared_answer_offer(SOURCES, tournament.pk, SOURCES_ARCHIVE, address, SOURCES_ARCHIVE)]
    context = {"tournament": tournament, "page": page, "rows": rows, "files": files}
    return prepared_answer_polls(render(request, "tournaments/sources.html", context), files)


@public_page(query=("file", "version"))
@require_safe
def tournament_source_view(request: HttpRequest, slug: str, entry_id: int) -> HttpResponse:
    """Show one file of a version. The defaults are ``bot.py`` and the last version that played."""
    tournament = tournament_with_sources_or_404(request, slug)
    found = tournament_source_with_licence(_source_or_404(request, tournament, pk=entry_id))
    try:
        files = found.version.files()
    except UploadError as error:  # the version was deleted meanwhile
        raise Http404 from error
    paths = source_paths_sorted(files)
    path = request.GET.get("file", paths[0])
    if path not in files:
        raise Http404
    context = {"tournament": tournament, "source": found, "paths": paths, "file": source_file_listed(path, files[path])}
    return render(request, "tournaments/source.html", context)


@require_safe
def tournament_source_download_view(request: HttpRequest, slug: str, entry_id: int) -> HttpResponse:
    return tournament_source_response(request, slug, pk=entry_id)


def tournament_source_response(request: HttpRequest, slug: str, **which: int | str) -> HttpResponse:
    """Return the file as it was uploaded. For ``which`` see ``tournament_source_released``."""
    found = _source_or_404(request, tournament_with_sources_or_404(request, slug), **which)
    return bot_source_response(found.version, found.entry.bot.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def tournament_sources_archive_view(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Order a zip file of all sources, or send it if it is ready. If a source was deleted, a new one is prepared."""
    return tournament_sources_archive_response(request, slug, page=reverse("tournaments:sources", args=[slug]))


def tournament_sources_archive_response(request: HttpRequest, slug: str, page: str = "") -> HttpResponseBase:
    """Order the archive, or send it; see ``prepared_response``."""
    tournament = tournament_with_sources_or_404(request, slug)
    filename = f"{slug}-{SOURCES_ARCHIVE}"
    return prepared_response(request, SOURCES, tournament.pk, SOURCES_ARCHIVE, filename, page=page)


def _source_or_404(request: HttpRequest, tournament: Tournament, **which: int | str) -> ReleasedSource:
    version = request.GET.get("version", "")
    number = int(version) if version.isdecimal() and len(version) < 7 else None
    found = tournament_source_released(tournament, number, **which)
    if found is None:
        raise Http404(_("There is no source of this bot to read."))
    return found
