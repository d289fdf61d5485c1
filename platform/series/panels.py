"""Panels about series on pages of other rooms (see ``web.panels``), and series as a subject of announcements.

Announcements are for participants of a series' tournaments and followers of the series.
"""

from typing import Any, Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.template import Context
from django.urls import reverse

from announcements.selectors import announcement_panel_of
from announcements.subjects import Subject, announcement_contest_subject, announcement_subject_register
from contests.audience import ContestAudience
from groups.models import Group
from series.models import TournamentSeries
from series.selectors.visible import (
    may_own_series,
    people_in_series,
    series_feed_entries,
    series_listed,
    series_of,
    series_visible,
)
from tournaments.models import Tournament
from tournaments.selectors.entering.visible import may_own_tournament
from web.feeds import feed_register
from web.panels import panel_register

OF_A_GROUP: Final = 50  # series on the page of a group


def tournament_series(context: Context, tournament: Tournament) -> dict[str, Any]:
    """Return the series of a tournament that the reader may see."""
    return {"series": series_of(tournament, context.get("user") or AnonymousUser())}


def managed_series_panel(context: Context, tournament: Tournament) -> dict[str, Any]:
    """Return the series of a tournament for its organiser. If it is in none, offer to put it into a new series."""
    user = context["user"]
    event = getattr(tournament, "series_event", None)
    series = event.series if event is not None and may_own_series(user, event.series) else None
    return {
        "series": series,
        "offers": event is None and may_own_tournament(user, tournament),
        "tournament": tournament,
    }


def series_link_panel(_context: Context, user: Any) -> dict[str, Any]:
    """Return an empty context: the link to series in the list of tournaments needs no data."""
    return {}


def group_series_panel(context: Context, group: Group) -> dict[str, Any]:
    """Return the series of a group that the reader may see."""
    return {"found": _of_group(context["user"], group)}


def _of_group(user: Any, group: Group) -> QuerySet[TournamentSeries]:
    return series_listed(user).filter(audience=ContestAudience.GROUP, group=group)[:OF_A_GROUP]


def series_panels_register() -> None:
    """Register the panels."""
    panel_register("tournament.series", "series/parts/of_tournament.html", tournament_series)
    panel_register("tournament.manage", "series/parts/of_manage.html", managed_series_panel)
    panel_register("tournaments.actions", "series/parts/of_list.html", series_link_panel)
    panel_register("group.contests", "series/parts/of_group.html", group_series_panel)
    feed_register("group", lambda reader, group: series_feed_entries(_of_group(reader, group), names=True))


def series_announcements_register() -> None:
    """Register series as a subject of announcements."""
    announcement_subject_register("series", _series_subject, _series_readers, _series_announcers)
    panel_register("series.announcements", "announcements/panel.html", announcement_panel_of("series"))


def _series_subject(user: Any, which: Q) -> Subject | None:
    series = (TournamentSeries.objects.all() if user is None else series_visible(user)).filter(which).first()
    if series is None:
        return None
    page = reverse("series:detail", args=[series.slug])
    may_write = user is not None and may_own_series(user, series)
    return announcement_contest_subject("series", series, page, user, is_everyones=series.is_open, may_write=may_write)


def _series_readers(pk: int) -> set[int]:
    series = TournamentSeries.objects.get(pk=pk)
    return {series.organiser_id, *people_in_series(series)}


def _series_announcers(pk: int) -> set[int]:
    return {TournamentSeries.objects.values_list("organiser", flat=True).get(pk=pk)}
