"""The docs pages as Markdown, and ``/llms.txt``, for programs that write bots. The HTML pages are the source."""

from collections.abc import Callable
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import override
from django.views.decorators.http import require_safe

from arena.site import views
from arena.site.guides import guides_shown
from arena.site.markdown_text import ENGLISH, markdown_text_of
from games.catalogue import GAMES
from web.page_cache import TEXT_SECONDS, public_page

KIND: Final = "text/markdown; charset=utf-8"


def _as_markdown(page: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Return a view with the content of the view ``page`` as English Markdown."""

    @public_page(max_age=TEXT_SECONDS)
    @require_safe
    def markdown(request: HttpRequest, **arguments: Any) -> HttpResponse:
        with override(ENGLISH):
            shown = page(request, **arguments)
        address = request.build_absolute_uri()
        return HttpResponse(markdown_text_of(shown.content.decode(), address), content_type=KIND)

    return markdown


markdown_docs_bots_view = _as_markdown(views.docs_bots_view)
markdown_docs_http_view = _as_markdown(views.docs_http_view)
markdown_docs_glossary_view = _as_markdown(views.docs_glossary_view)
markdown_docs_guide_view = _as_markdown(views.docs_guide_view)
markdown_docs_rules_index_view = _as_markdown(views.docs_rules_index_view)
markdown_docs_rules_view = _as_markdown(views.docs_rules_view)


@public_page(max_age=TEXT_SECONDS)
@require_safe
def markdown_llms_text_view(request: HttpRequest) -> HttpResponse:
    """Show the index of the docs for programs, in the format of https://llmstxt.org."""
    site = f"{request.scheme}://{request.get_host()}"
    context = {
        "name": settings.SITE_NAME,
        "games": GAMES.values(),
        "site": site,
        "index": f"{site}{reverse('packages')}",
        "guides": guides_shown(),
    }
    return render(request, "site/llms.txt", context, content_type=KIND)
