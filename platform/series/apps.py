from contextlib import suppress
from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


def _copied(source: Any, made: Any) -> None:
    """Put the copy of a tournament into the series of the first, if that takes it."""
    from series.errors import SeriesRefused
    from series.models import SeriesEvent
    from series.services import series_add

    event = SeriesEvent.objects.select_related("series").filter(tournament=source).first()
    if event is not None:
        with suppress(SeriesRefused):
            series_add(series=event.series, tournament=made)


class SeriesConfig(AppConfig):
    name = "series"
    verbose_name = _("Series")

    def ready(self) -> None:
        from series import panels
        from tournaments.services.copying import copied_register
        from tournaments.views.lookups import joined_register
        from web.topics import topic_kind_register

        panels.register()
        copied_register(_copied)
        joined_register("series_event__series")
        topic_kind_register("series", has_state=True)
