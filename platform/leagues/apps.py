from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy


def _member_left(group: Any, person_id: int) -> None:
    from leagues.models import League
    from leagues.services import league_outsiders_leave
    from notices.following import follows_delete
    from notices.services import notices_delete

    league_outsiders_leave(group=group)
    slugs = League.objects.filter(group=group).values_list("slug", flat=True)
    notices_delete(person_id=person_id, field="league", values=slugs)
    follows_delete(kind="league", targets=League.objects.filter(group=group).values("pk"), person_id=person_id)


class LeagueConfig(AppConfig):
    name = "leagues"
    label = "league"

    def ready(self) -> None:
        from groups.services.groups import group_member_left_register
        from leagues import digest_events, hook_events, panels
        from leagues.selectors import exports
        from leagues.selectors.bots import bot_plays_in_league
        from leagues.selectors.permissions import leagues_visible
        from matches.challenges.selectors import challenge_leagues_register
        from notices.following import followed_register
        from web.topics import topic_kind_register

        panels.league_announcements_register()
        followed_register("league", gettext_lazy("League"), "leagues:detail", leagues_visible)
        hook_events.league_events_register()
        digest_events.league_digest_event_register()
        hook_events.league_follow_events_register()
        panels.league_panels_register()
        exports.season_exports_register()
        challenge_leagues_register(bot_plays_in_league)
        group_member_left_register(_member_left)
        topic_kind_register("league", has_state=True)
