from typing import Any

from django.apps import AppConfig


def _member_left(group: Any, _person_id: int) -> None:
    from leagues.services import outsiders_leave

    outsiders_leave(group=group)


class LeagueConfig(AppConfig):
    name = "leagues"
    label = "league"

    def ready(self) -> None:
        from groups.leaving import member_left_register
        from leagues import panels
        from web.topics import topic_kind_register

        panels.register()
        member_left_register(_member_left)
        topic_kind_register("league", has_state=True)
