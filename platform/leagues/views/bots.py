"""A bot in a league: how its rating went, against whom, in which matches."""

from typing import Any, Final

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from leagues.forms import RecordFilter
from leagues.models import League, Season
from leagues.selectors.history import graph_of, history_of, versions_of
from leagues.selectors.ladder import ladder_of
from leagues.selectors.matches import with_seats
from leagues.selectors.record import matches_of, record_of
from leagues.selectors.visible import current_season
from leagues.views.lookups import league_or_404

PER_PAGE: Final = 25


@require_safe
def bot(request: HttpRequest, slug: str, bot: str) -> HttpResponse:
    """Show a bot in the season that the address asks for, else the running or last one."""
    league = league_or_404(request, slug)
    members = league.memberships.select_related("bot__owner", "bot__current")
    membership = get_object_or_404(members, bot__slug=bot)
    context: dict[str, Any] = {"league": league, "membership": membership, "bot": membership.bot}
    season = _season(league, request.GET.get("season", ""))
    if season is not None:
        chosen = RecordFilter(request.GET, season=season, bot=membership.bot)
        page = Paginator(matches_of(season, membership.bot, **chosen.picked()), PER_PAGE).get_page(
            request.GET.get("page")
        )
        points = history_of(season, membership)
        ladder = ladder_of(season)
        places = [place for place, row in enumerate(ladder.rows) if row.entry.membership_id == membership.pk]
        rows = ladder.drawn(places)
        context |= {
            "season": season,
            "seasons": league.seasons.filter(season_entries__membership=membership).distinct(),
            "row": rows[0] if rows else None,
            "graph": graph_of(points),
            "versions": versions_of(season, membership),
            "record": record_of(season, membership.bot),
            "filter": chosen,
            "page_obj": page,
            "fixtures": with_seats(list(page)),
        }
    return render(request, "leagues/bot.html", context)


def _season(league: League, wanted: str) -> Season | None:
    if wanted.isdecimal() and len(wanted) < 9:
        return get_object_or_404(Season, league=league, number=int(wanted))
    return current_season(league)
