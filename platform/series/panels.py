"""The series of a tournament on its page, see ``web.panels``."""

from typing import Any, Final

from django.contrib.auth.models import AnonymousUser
from django.template import Context

from contests.audience import ContestAudience
from groups.models import Group
from series.selectors.visible import may_own_series, series_listed, series_of
from tournaments.models import Tournament
from tournaments.selectors.entering.visible import may_own
from web.panels import panel_register

OF_A_GROUP: Final = 50  # series that its page lists


def tournament_series(context: Context, tournament: Tournament) -> dict[str, Any]:
    """Return the series of a tournament that the reader may see."""
    return {"series": series_of(tournament, context.get("user") or AnonymousUser())}


def managed_series(context: Context, tournament: Tournament) -> dict[str, Any]:
    """Return the series of a tournament for its organiser, or the way to put it into a new one."""
    user = context["user"]
    event = getattr(tournament, "series_event", None)
    series = event.series if event is not None and may_own_series(user, event.series) else None
    return {"series": series, "offers": event is None and may_own(user, tournament), "tournament": tournament}


def series_link(_context: Context, user: Any) -> dict[str, Any]:
    """Return what the list of tournaments needs for a link to the series: nothing."""
    return {}


def group_series(context: Context, group: Group) -> dict[str, Any]:
    """Return the series of a group that the reader may see."""
    return {"found": series_listed(context["user"]).filter(audience=ContestAudience.GROUP, group=group)[:OF_A_GROUP]}


def register() -> None:
    """Offer the panels."""
    panel_register("tournament.series", "series/parts/of_tournament.html", tournament_series)
    panel_register("tournament.manage", "series/parts/manage.html", managed_series)
    panel_register("tournaments.actions", "series/parts/of_list.html", series_link)
    panel_register("group.contests", "series/parts/of_group.html", group_series)
