"""Who may see which series and which of its tournaments; followers, participants and feeds."""

from collections.abc import Iterable
from typing import Any, Final

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Count, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from announcements.selectors import announcement_entries
from contests.audience import (
    audience_listed_to,
    audience_shown_to,
    audience_widens,
    may_see_contest,
    people_who_may_see_contest,
)
from notices.following import all_followers
from series.models import SeriesEvent, TournamentSeries
from teams.selectors import team_people_behind
from tournaments.models import Entry, Publication, Tournament, TournamentState
from web.feeds import FeedEntry

Reader = AbstractBaseUser | AnonymousUser
OFFERED_MOST: Final = 200  # an organiser chooses from so many of the newest tournaments


def may_own_series(user: Any, series: TournamentSeries) -> bool:
    """Return whether ``user`` may change the series, as its organiser or as staff."""
    return user.pk is not None and (user.pk == series.organiser_id or bool(getattr(user, "is_staff", False)))


def series_visible(user: Reader) -> QuerySet[TournamentSeries]:
    """Return the series that ``user`` may see with their address, newest first. Not for lists."""
    return _series(user, audience_shown_to(user))


def series_listed(user: Reader) -> QuerySet[TournamentSeries]:
    """Return the series that ``user`` can find in lists and searches, newest first."""
    return _series(user, audience_listed_to(user))


def _series(user: Reader, shown: Q) -> QuerySet[TournamentSeries]:
    found = TournamentSeries.objects.select_related("organiser", "group").order_by("-created_at", "-pk")
    return found if getattr(user, "is_staff", False) else found.filter(shown | Q(organiser=user.pk))


def with_series_event_counts(series: QuerySet[TournamentSeries]) -> QuerySet[TournamentSeries]:
    """Return ``series`` with ``event_count``, the number of their tournaments that are not drafts."""
    announced = ~Q(events__tournament__state=TournamentState.DRAFT)
    return series.annotate(event_count=Count("events", filter=announced))


def series_of(tournament: Tournament, user: Reader) -> TournamentSeries | None:
    """Return the series of a tournament if ``user`` may see it; None if there is none.

    A listed tournament reveals an unlisted series only to its organiser and staff. If ``series_event`` is already
    loaded, this takes one query for a series of a group, and otherwise none.
    """
    event: SeriesEvent | None = getattr(tournament, "series_event", None)
    if event is None or not may_see_contest(user, event.series):
        return None
    is_kept_back = _is_event_hidden(event.series, tournament) and not may_own_series(user, event.series)
    return None if is_kept_back else event.series


def _is_event_hidden(series: TournamentSeries, tournament: Tournament) -> bool:
    """Return whether the tournament must not reveal its series, because it is listed and the series is unlisted."""
    return series.is_unlisted and not tournament.is_unlisted


def series_events_shown(series: TournamentSeries, user: Reader) -> list[Tournament]:
    """Return the tournaments of a series that ``user`` may see, in order of time.

    Some tournaments are shown only to the organiser of the series and to staff: drafts, and tournaments with a narrower
    audience than that of the series.
    """
    events = series.events.select_related("tournament__organiser", "tournament__group")
    found = sorted((one.tournament for one in events), key=series_visible_event_order)
    return found if may_own_series(user, series) else [one for one in found if _is_for_all(series, one)]


def series_visible_event_order(tournament: Tournament) -> tuple[Any, int]:
    """Return the sort key for the tournaments of a series.

    It is the planned or actual start, or else the time of creation.
    """
    return tournament.first_round_at or tournament.started_at or tournament.created_at, tournament.pk


def _is_for_all(series: TournamentSeries, tournament: Tournament) -> bool:
    """Return whether everyone who may see the series may see the tournament."""
    is_announced = tournament.state != TournamentState.DRAFT
    return is_announced and audience_widens(series, tournament.audience, tournament.group_id)


def is_series_result_visible(series: TournamentSeries, tournament: Tournament) -> bool:
    """Return whether the tournament is over, and everyone who may see the series may see its result."""
    is_over = tournament.state == TournamentState.FINISHED and tournament.publication == Publication.EVERYONE
    return is_over and _is_for_all(series, tournament)


def series_followers_through(tournament: Tournament) -> set[int]:
    """Return the followers of the tournament's series.

    There are none unless everyone who may see the series may see the tournament.
    """
    event = SeriesEvent.objects.filter(tournament=tournament.pk).select_related("series").first()
    if event is None or not _is_for_all(event.series, tournament):
        return set()
    return people_who_may_see_contest(all_followers("series", event.series), event.series)


def people_in_series(series: TournamentSeries) -> set[int]:
    """Return the participants of the series' tournaments and the followers of the series.

    People who may not see the series are left out. So are people who took part only in tournaments that hide their
    series.
    """
    events = [one.tournament for one in series.events.select_related("tournament")]
    named = [one for one in events if _is_for_all(series, one) and not _is_event_hidden(series, one)]
    owners = Entry.objects.filter(tournament__in=named, bot__is_house=False).values_list("bot__owner", flat=True)
    return people_who_may_see_contest(team_people_behind(set(owners)) | all_followers("series", series), series)


def series_feed_entries(series: Iterable[TournamentSeries], *, names: bool = False) -> list[FeedEntry]:
    """Return the feed entries of ``series``: their announcements, and an entry for each series that is over.

    With ``names``, announcements have the name of their series, for feeds of several series.
    """
    series = list(series)
    over = [
        FeedEntry(
            f"series-{one.pk}-result",
            _("%(name)s is over: its table is final.") % {"name": one.name},
            reverse("series:detail", args=[one.slug]),
            one.ended_at,
        )
        for one in series
        if one.ended_at is not None
    ]
    return [*announcement_entries("series", series, names=names), *over]


def series_events_offered(series: TournamentSeries) -> QuerySet[Tournament]:
    """Return the tournaments that the organiser may add, newest first.

    They are tournaments of the same organiser and game that are in no series.
    """
    found = Tournament.objects.filter(organiser=series.organiser_id, series_event=None)
    found = found.filter(ruleset__startswith=f"{series.game}/").exclude(state=TournamentState.CANCELLED)
    wide_enough = [one for one in found.order_by("-created_at", "-pk")[:OFFERED_MOST] if _is_wide(series, one)]
    return Tournament.objects.filter(pk__in=[one.pk for one in wide_enough]).order_by("-created_at", "-pk")


def _is_wide(series: TournamentSeries, tournament: Tournament) -> bool:
    return audience_widens(series, tournament.audience, tournament.group_id)
