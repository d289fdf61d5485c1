from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy


def _member_left(group: Any, person_id: int) -> None:
    from matches.models import Match
    from notices.following import follows_delete
    from notices.services import notices_delete
    from tournaments.models import Tournament
    from tournaments.services import entries_withdraw_outsiders

    entries_withdraw_outsiders(group=group)
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
        from groups.services.groups import group_member_left_register
        from matches.analysis.services import analysis_listener_register
        from matches.bot_history.selectors import match_rulings_register
        from matches.visibility import visibility_arbiters_register
        from notices.following import followed_register
        from tournaments.entry_events import entry_events_register
        from tournaments.follow_events import tournament_advance_events_register, tournament_follow_events_register
        from tournaments.hook_events import tournament_events_register, tournament_stop_events_register
        from tournaments.missed_events import tournament_missed_events_register
        from tournaments.panels import tournament_panels_register
        from tournaments.selectors.entering.visible import tournament_matches_visible_to_arbiter
        from tournaments.selectors.pages.exports import tournament_exports_register
        from tournaments.selectors.rulings.corrections import matches_corrected_by_rulings
        from tournaments.services import tournament_luck_snapshots_schedule
        from web.topics import topic_kind_register

        tournament_events_register()
        tournament_advance_events_register()
        tournament_stop_events_register()
        tournament_follow_events_register()
        entry_events_register()
        tournament_missed_events_register()
        group_member_left_register(_member_left)
        followed_register("tournament", gettext_lazy("Tournament"), "tournaments:detail", _shown)
        tournament_panels_register()
        tournament_exports_register()
        visibility_arbiters_register(tournament_matches_visible_to_arbiter)
        match_rulings_register(matches_corrected_by_rulings)
        analysis_listener_register(tournament_luck_snapshots_schedule)
        topic_kind_register("tournament", has_state=True)
        topic_kind_register("ceremony", has_state=True)
