from django.apps import AppConfig


class LeagueConfig(AppConfig):
    name = "leagues"
    label = "league"

    def ready(self) -> None:
        from leagues import panels
        from web.topics import topic_kind_register

        panels.register()
        topic_kind_register("league", has_state=True)
