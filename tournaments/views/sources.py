"""The sources that a tournament has released: a list, one to read, the files. A 404 for everybody before that."""

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import StreamingHttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from bots.listing import in_order, listed_file
from bots.upload_errors import UploadError
from bots.views import source_response
from tournaments.models import Tournament
from tournaments.selectors.pages.sources import (
    AT_ONCE,
    ReleasedSource,
    entries_played,
    has_released_sources,
    source_released,
    sources_archive,
    with_licence,
)
from tournaments.views.lookups import shown_tournament
from web.downloads import later, zip_response
from web.page_cache import public_page


@public_page(query=("page",))
@require_safe
def sources(request: HttpRequest, slug: str) -> HttpResponse:
    """List the versions that played."""
    tournament = releasing_tournament(request, slug)
    entries = entries_played(tournament).select_related("version__package")
    page = Paginator(entries, AT_ONCE).get_page(request.GET.get("page"))
    rows = [with_licence(ReleasedSource(entry)) for entry in page]
    return render(request, "tournaments/sources.html", {"tournament": tournament, "page": page, "rows": rows})


@public_page(query=("file",))
@require_safe
def source(request: HttpRequest, slug: str, entry_id: int) -> HttpResponse:
    """Show one file of a version, ``bot.py`` unless another is chosen."""
    tournament = releasing_tournament(request, slug)
    found = with_licence(_found(tournament, pk=entry_id))
    try:
        files = found.version.files()
    except UploadError as error:  # it was deleted a moment ago
        raise Http404 from error
    paths = in_order(files)
    path = request.GET.get("file", paths[0])
    if path not in files:
        raise Http404
    context = {"tournament": tournament, "source": found, "paths": paths, "file": listed_file(path, files[path])}
    return render(request, "tournaments/source.html", context)


@require_safe
def download(request: HttpRequest, slug: str, entry_id: int) -> HttpResponse:
    return released_file(request, slug, pk=entry_id)


def released_file(request: HttpRequest, slug: str, **which: int | str) -> HttpResponse:
    """Return the very file that was uploaded; ``which``: see ``source_released``."""
    found = _found(releasing_tournament(request, slug), **which)
    return source_response(found.version, found.entry.bot.slug)


@require_safe
def archive(request: HttpRequest, slug: str, name: str = "sources.zip") -> StreamingHttpResponse:
    """Send all of them as one zip; read from the database each time, so that nothing deleted is sent."""
    tournament = releasing_tournament(request, slug)
    answer = zip_response(f"{slug}-{name}", later(lambda: sources_archive(tournament)))
    answer["Cache-Control"] = "private, no-store"
    return answer


def releasing_tournament(request: HttpRequest, slug: str) -> Tournament:
    """Return the tournament for who may read its sources now.

    Raises:
        Http404: it has released none, to nobody.
        PermissionDenied: its results are not for this reader.
    """
    tournament = shown_tournament(request, slug)
    if not has_released_sources(tournament):
        raise Http404(_("This tournament has released no sources."))
    return tournament


def _found(tournament: Tournament, **which: int | str) -> ReleasedSource:
    found = source_released(tournament, **which)
    if found is None:
        raise Http404(_("There is no source of this bot to read."))
    return found
