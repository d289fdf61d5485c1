from django.apps import AppConfig


class WebConfig(AppConfig):
    name = "web"

    def ready(self) -> None:
        from web.topics import topic_kind_register

        topic_kind_register("site", has_state=True)
