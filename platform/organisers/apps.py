from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class OrganisersConfig(AppConfig):
    name = "organisers"
    label = "organisers"
    verbose_name = _("Organisers")
