from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "arena.accounts"
    label = "accounts"
    verbose_name = _("People")

    def ready(self) -> None:
        """Listen to who signs in by the provider."""
        from arena.accounts import single_sign_on as _receivers  # noqa: F401
