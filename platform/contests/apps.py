from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ContestsConfig(AppConfig):
    name = "contests"
    label = "organisers"  # keeps the names of tables, migrations and permissions
    verbose_name = _("Organisers")

    def ready(self) -> None:
        from contests import hook_events

        hook_events.organiser_events_register()
