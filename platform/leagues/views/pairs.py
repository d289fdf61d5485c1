"""For the organiser: which pairs of a season played otherwise than their ratings expect."""

from typing import Final

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from leagues.models import Season
from leagues.selectors.pairs import pairs_of
from leagues.views.lookups import own_league

PER_PAGE: Final = 50


@login_required
@require_safe
def pairs(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    league = own_league(request, slug)
    season = get_object_or_404(Season.objects.select_related("league"), league=league, number=number)
    found = pairs_of(season)
    page = Paginator(found.rows, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "league": league,
        "season": season,
        "page_obj": page,
        "standing_out": found.standing_out,
    }
    return render(request, "leagues/pairs.html", context)
