from contextlib import suppress
from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


def _copied(source: Any, made: Any) -> None:
    """Add the copy of a tournament to the series of the original, unless the series refuses it."""
    from series.models import SeriesEvent
    from series.services import SeriesRefused, series_add

    event = SeriesEvent.objects.select_related("series").filter(tournament=source).first()
    if event is not None:
        with suppress(SeriesRefused):
            series_add(series=event.series, tournament=made)


def _member_left(group: Any, person_id: int) -> None:
    from notices.following import follows_delete
    from notices.services import notices_delete
    from series.models import TournamentSeries

    own = TournamentSeries.objects.filter(group=group)
    notices_delete(person_id=person_id, field="series", values=own.values_list("slug", flat=True))
    follows_delete(kind="series", targets=own.values("pk"), person_id=person_id)


def _counted_in(tournament: Any) -> str | None:
    """Return the name of the ended series that counts this tournament, or None."""
    from series.models import SeriesEvent

    ended = SeriesEvent.objects.filter(tournament=tournament.pk, series__ended_at__isnull=False)
    return ended.values_list("series__name", flat=True).first()


class SeriesConfig(AppConfig):
    name = "series"
    verbose_name = _("Series")

    def ready(self) -> None:
        from groups.services.groups import group_member_left_register
        from notices.following import followed_register, followers_within_register
        from series import hook_events, panels
        from series.selectors.visible import series_followers_through, series_visible
        from tournaments.services.copying import tournament_copied_register
        from tournaments.services.publishing import tournament_counted_register
        from tournaments.views.lookups import tournament_lookup_relation_register
        from web.topics import topic_kind_register

        hook_events.series_events_register()
        tournament_counted_register(_counted_in)
        panels.series_panels_register()
        panels.series_announcements_register()
        followed_register("series", _("Series"), "series:detail", series_visible)
        followers_within_register("tournament", series_followers_through)
        group_member_left_register(_member_left)
        tournament_copied_register(_copied)
        tournament_lookup_relation_register("series_event__series")
        topic_kind_register("series", has_state=True)
