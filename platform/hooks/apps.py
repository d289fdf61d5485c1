from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class HooksConfig(AppConfig):
    name = "hooks"
    verbose_name = _("Webhooks")

    def ready(self) -> None:
        from hooks.kinds import TEST, kind_register
        from hooks.serializers import TestDataSerializer

        kind_register(TEST, _("a test, whenever you ask for one"), TestDataSerializer)
