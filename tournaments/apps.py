from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy


def _member_left(group: Any, person_id: int) -> None:
    from matches.models import Match
    from notices.services import follows_delete, notices_delete
    from tournaments.models import Tournament
    from tournaments.services import outsiders_withdraw

    outsiders_withdraw(group=group)
    slugs = Tournament.objects.filter(group=group).values_list("slug", flat=True)
    notices_delete(person_id=person_id, field="tournament", values=slugs)
    follows_delete(kind="tournament", targets=Tournament.objects.filter(group=group).values("pk"), person_id=person_id)
    notices_delete(
        person_id=person_id, field="match", values=Match.objects.filter(group=group).values_list("pk", flat=True)
    )


def _shown(user: Any) -> Any:
    from tournaments.selectors.entering.visible import tournaments_visible

    return tournaments_visible(user).prefetch_related(None)


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        from groups.services.groups import member_left_register
        from matches.analysis.services import analysis_listener_register
        from matches.bot_history.selectors import rulings_register
        from matches.visibility import visibility_arbiters_register
        from notices.following import followed_register
        from tournaments import entry_events, follow_events, hook_events, missed_events, panels
        from tournaments.selectors.entering.visible import matches_ruled
        from tournaments.selectors.pages import exports
        from tournaments.selectors.rulings.corrections import matches_corrected
        from tournaments.services import luck_snapshots_schedule
        from web.topics import topic_kind_register

        hook_events.register()
        follow_events.advance_events_register()
        missed_events.stop_events_register()
        follow_events.follow_events_register()
        entry_events.register()
        missed_events.missed_events_register()
        member_left_register(_member_left)
        panels.announcements_register()
        followed_register("tournament", gettext_lazy("Tournament"), "tournaments:detail", _shown)
        panels.register()
        exports.register()
        visibility_arbiters_register(matches_ruled)
        rulings_register(matches_corrected)
        analysis_listener_register(luck_snapshots_schedule)
        topic_kind_register("tournament", has_state=True)
        topic_kind_register("ceremony", has_state=True)
