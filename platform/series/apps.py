from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SeriesConfig(AppConfig):
    name = "series"
    verbose_name = _("Series")

    def ready(self) -> None:
        from series import panels
        from tournaments.views.lookups import joined_register
        from web.topics import topic_kind_register

        panels.register()
        joined_register("series_event__series")
        topic_kind_register("series", has_state=True)
