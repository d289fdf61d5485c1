from django.apps import AppConfig


class MatchesConfig(AppConfig):
    name = "matches"

    def ready(self) -> None:
        from matches.check_games import panels
        from web.topics import topic_kind_register

        panels.register()
        topic_kind_register("match")
