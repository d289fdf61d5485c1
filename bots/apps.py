from django.apps import AppConfig


class BotsConfig(AppConfig):
    name = "bots"

    def ready(self) -> None:
        from django.utils.translation import gettext, ngettext

        from bots import hook_events
        from bots.names import name_check
        from bots.words import translation_register
        from web.names import name_check_register
        from web.topics import topic_kind_register

        hook_events.register()
        name_check_register(name_check)
        topic_kind_register("version")
        translation_register(gettext, ngettext)
