"""A bot in a league: how its rating went, against whom, in which matches."""

from collections.abc import Sequence
from typing import Any, Final

from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from leagues.forms import RecordFilter
from leagues.models import League, Membership, MembershipState, SeasonEntry
from leagues.permissions import may_let_in
from leagues.selectors.exclusions import exclusion_of
from leagues.selectors.history import graph_of, history_of, versions_of
from leagues.selectors.ladder import ladder_row
from leagues.selectors.matches import with_seats
from leagues.selectors.record import matches_of, record_of
from leagues.views.lookups import league_or_404

PER_PAGE: Final = 25


@require_safe
def bot(request: HttpRequest, slug: str, bot: str) -> HttpResponse:
    """Show a bot in the season that the address asks for, else the running or last one."""
    league = league_or_404(request, slug)
    members = league.memberships.select_related("bot__owner", "bot__current")
    membership = get_object_or_404(members, bot__slug=bot)
    context: dict[str, Any] = {"league": league, "membership": membership, "bot": membership.bot}
    has_left = membership.state == MembershipState.LEFT
    context["taken_out"] = exclusion_of(league, membership.bot) if has_left else None
    out = context["taken_out"]
    context["may_let_in"] = out is not None and league.takes_bots and may_let_in(request.user, league, out)
    seasons = _seasons(league, membership)
    season = _season(seasons, request.GET.get("season", ""))
    if season is not None:
        versions, record = versions_of(season, membership), record_of(season, membership.bot)
        chosen = RecordFilter(request.GET, versions=(one.version.number for one in versions), opponents=record.drawn)
        found = matches_of(season, membership.bot, **chosen.picked())
        page = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
        context |= {
            "season": season,
            "seasons": [one for one in seasons if one.plays],
            "row": ladder_row(season, membership),
            "graph": graph_of(history_of(season, membership)),
            "versions": versions,
            "record": record,
            "filter": chosen,
            "page_obj": page,
            "fixtures": with_seats(list(page)),
        }
    return render(request, "leagues/bot.html", context)


def _seasons(league: League, membership: Membership) -> list[Any]:
    """Return the seasons of the league, the first one first, each with ``plays``: whether the bot is in it."""
    entered = SeasonEntry.objects.filter(season=OuterRef("pk"), membership=membership)
    return list(league.seasons.order_by("number").annotate(plays=Exists(entered)))


def _season(seasons: Sequence[Any], wanted: str) -> Any:
    """Return the season that is asked for, else the running or last one; None where there is none."""
    if not (wanted.isdecimal() and len(wanted) < 9):
        return seasons[-1] if seasons else None
    found = next((one for one in seasons if one.number == int(wanted)), None)
    if found is None:
        raise Http404
    return found
