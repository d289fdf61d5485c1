from django.apps import AppConfig


class BotsConfig(AppConfig):
    name = "bots"

    def ready(self) -> None:
        from django.utils.translation import gettext, gettext_lazy, ngettext

        from bots import hook_events, panels
        from bots.bot_names import bot_name_check
        from bots.deletion import bots_delete
        from bots.selectors import bots_public
        from bots.translation import translation_register
        from notices.following import followed_register
        from teams.services import team_dissolved_register
        from web.name_keys import name_check_register
        from web.topics import topic_kind_register

        hook_events.verdict_event_register()
        panels.bot_panels_register()
        shown = bots_public().filter(deleted_at=None)
        followed_register("bot", gettext_lazy("Bot"), "bots:detail", lambda _user: shown.all())
        name_check_register(bot_name_check)
        team_dissolved_register(lambda team_id: bots_delete(owner_id=team_id))
        topic_kind_register("version")
        translation_register(gettext, ngettext)
