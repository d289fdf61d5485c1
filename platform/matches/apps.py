from django.apps import AppConfig


class MatchesConfig(AppConfig):
    name = "matches"

    def ready(self) -> None:
        from web.topics import topic_kind_register

        topic_kind_register("match")
