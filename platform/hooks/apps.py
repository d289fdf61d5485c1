from collections.abc import Mapping
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _


class HooksConfig(AppConfig):
    name = "hooks"
    verbose_name = _("Webhooks")

    def ready(self) -> None:
        from hooks import hook_events
        from hooks.kinds import TEST, hook_kind_register
        from hooks.serializers import TestDataSerializer

        hook_kind_register(TEST, _("a test, when you ask for one"), TestDataSerializer, _test_sentence)
        hook_events.hook_paused_event_register()


def _test_sentence(_data: Mapping[str, Any]) -> str:
    return gettext("This is a test. Messages from %(site)s arrive here.") % {"site": settings.SITE_NAME}
