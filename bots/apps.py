from django.apps import AppConfig


class BotsConfig(AppConfig):
    name = "bots"

    def ready(self) -> None:
        from django.utils.translation import gettext, ngettext

        from bots import hook_events, panels
        from bots.deletion import bots_delete
        from bots.names import name_check
        from bots.words import translation_register
        from teams.leaving import team_dissolved_register
        from web.names import name_check_register
        from web.topics import topic_kind_register

        hook_events.register()
        panels.register()
        name_check_register(name_check)
        team_dissolved_register(lambda team_id: bots_delete(owner_id=team_id))
        topic_kind_register("version")
        translation_register(gettext, ngettext)
