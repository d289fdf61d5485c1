from django.apps import AppConfig
from django.db.models import F
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "arena.accounts"
    label = "accounts"
    verbose_name = _("People")

    def ready(self) -> None:
        """Connect the receivers of single sign-on, and register users as something to follow."""
        from arena.accounts import single_sign_on as _receivers  # noqa: F401
        from arena.accounts.models import User
        from notices.following import followed_register

        people = User.objects.filter(is_active=True, is_team=False).annotate(slug=F("username"), name=F("username"))
        followed_register("person", _("Person"), "accounts:profile", lambda _user: people.all())
