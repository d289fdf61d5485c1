from django.apps import AppConfig


class BotsConfig(AppConfig):
    name = "bots"

    def ready(self) -> None:
        from web.topics import topic_kind_register

        topic_kind_register("version")
