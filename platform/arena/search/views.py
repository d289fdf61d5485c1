"""The search page."""

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from arena.search.selectors import KIND, FoundKind, search_handbook, search_site
from web.page_cache import LIST_SECONDS, public_page


class SearchForm(forms.Form):
    """The search words. At least two letters, because one would match everything."""

    q = forms.CharField(label=_("Search"), min_length=2, max_length=60)


@public_page(max_age=LIST_SECONDS, query=("q", "kind", "page"))
@require_safe
def search_page(request: HttpRequest) -> HttpResponse:
    """Show everything with the words in its name, and the sections of the docs that contain them."""
    query = request.GET.get("q", "")
    form = SearchForm(request.GET if query else None)
    kinds: list[FoundKind] = []
    if form.is_valid():
        text, kind, page = form.cleaned_data["q"], request.GET.get("kind", ""), request.GET.get("page")
        if kind != KIND:
            kinds = search_site(text, request.user, kind=kind, page=page)
        if kind in ("", KIND) and (docs := search_handbook(request, text, whole=kind == KIND)).total:
            kinds.append(docs)
    return render(request, "search/page.html", {"form": form, "kinds": kinds, "asked": query[:60]})
