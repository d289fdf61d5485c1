from django.apps import AppConfig


class BotsConfig(AppConfig):
    name = "bots"

    def ready(self) -> None:
        from django.utils.translation import gettext, ngettext

        from bots import hook_events
        from bots.words import translation_register
        from web.topics import topic_kind_register

        hook_events.register()
        topic_kind_register("version")
        translation_register(gettext, ngettext)
