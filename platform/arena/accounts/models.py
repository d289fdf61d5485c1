"""People and their access tokens."""

from typing import Any

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models, transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken


class PersonManager(UserManager["User"]):
    """Makes people."""

    use_in_migrations = False

    def create_superuser(
        self, username: str, email: str | None = None, password: str | None = None, **more: Any
    ) -> "User":
        """Make an administrator, whose address counts as confirmed: the site may have no mail yet."""
        from arena.accounts.confirming import address_confirm  # below it: allauth's models name ours

        with transaction.atomic(using=self.db):
            person = super().create_superuser(username, email, password, **more)
            address_confirm(person=person)
        return person


class User(AbstractUser):  # type: ignore[django-manager-missing]  # knox is untyped
    """A person; ``is_organiser`` may create tournaments, ``is_staff`` may administer the site.

    A new password ends the person's access tokens, whichever way it was set, unless ``keeps_tokens`` is set before.
    """

    is_organiser = models.BooleanField(_("organiser"), default=False)
    keeps_tokens = False
    objects = PersonManager()

    def save(self, *args: Any, **kwargs: Any) -> None:
        has_new_password = (
            getattr(self, "_password", None) is not None and not self._state.adding
        )  # set by Django's set_password
        with transaction.atomic():
            super().save(*args, **kwargs)
            if has_new_password and not self.keeps_tokens:
                AccessToken.objects.filter(user=self).delete()


class AccessToken(AbstractAuthToken):  # type: ignore[misc]  # knox is untyped
    """A personal token for the API: shown once, stored as a digest, named by its owner, good for a time."""

    name = models.CharField(_("name"), max_length=60, default="token")
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)
    # What it may beside reading. Tokens from before there was a choice may both, as they did.
    has_upload = models.BooleanField(_("uploads and enters bots"), default=True)
    has_organise = models.BooleanField(_("organises tournaments and leagues"), default=True)
    has_hooks = models.BooleanField(_("makes and changes webhooks"), default=False)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(expiry__isnull=False), name="token_ends")]

    @property
    def scopes(self) -> list[str]:
        """What it may, as the API names it."""
        chosen = {"upload": self.has_upload, "organise": self.has_organise, "hooks": self.has_hooks}
        return ["read", *(name for name, holds in chosen.items() if holds)]
