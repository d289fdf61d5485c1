"""The models of user accounts and of their access tokens for the API."""

from typing import Any, ClassVar

from django.apps import apps
from django.contrib.auth.models import AbstractUser, UserManager
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken

from web.name_keys import Keyed, KeyedQuerySet, KeyField, name_key


class PersonManager(UserManager["User"]):
    """Create accounts, and find them by user name in any spelling."""

    use_in_migrations = False

    def get_queryset(self) -> KeyedQuerySet["User"]:
        """Return all accounts."""
        return KeyedQuerySet(self.model, using=self._db)

    def get_by_natural_key(self, username: str | None) -> "User":
        """Return the account named ``username``: the account with exactly this name, or else the account whose name has
        the same key.

        Raises:
            User.DoesNotExist: no account has this name.
        """
        name = username or ""
        # Accounts of the previous release, and those whose key another account has.
        unkeyed = Q(username_key=None, username__iexact=name)
        found = list(self.filter(Q(username=name) | Q(username_key=name_key(name)) | unkeyed))
        if not found:
            raise self.model.DoesNotExist
        return min(found, key=lambda one: (one.username != name, one.username_key is None, one.pk))

    def create_superuser(
        self, username: str, email: str | None = None, password: str | None = None, **more: Any
    ) -> "User":
        """Create an administrator. The address counts as confirmed, because a new site may not have email yet.

        Raises:
            ValidationError: another account has this address.
        """
        with transaction.atomic(using=self.db):
            if email and self.filter(email_key=name_key(email)).exists():
                raise ValidationError(_("%(email)s has an account already.") % {"email": email})
            person = super().create_superuser(username, email, password, **more)
            self._confirm_address(person)
        return person

    def _confirm_address(self, person: "User") -> None:
        """Mark the user's address as confirmed, unless another account has confirmed it."""
        # The model ``EmailAddress`` imports ours, so it is not imported here.
        addresses = apps.get_model("account", "EmailAddress")._default_manager.using(self.db)
        email = person.email.lower()
        if email and not addresses.filter(email=email, verified=True).exclude(user=person).exists():
            addresses.filter(user=person).exclude(email=email).update(primary=False)
            addresses.update_or_create(user=person, email=email, defaults={"verified": True, "primary": True})


class User(AbstractUser, Keyed):  # type: ignore[django-manager-missing]  # knox is untyped
    """A user account. ``is_organiser`` may create tournaments, ``is_staff`` may use the admin.

    Names and addresses are unique in any spelling, because their keys are unique. An account from before keys existed
    may have no key; it is found by the exact spelling only. A new password deletes the user's access tokens, unless
    ``keeps_tokens`` is set.

    With ``is_team``, the account belongs to a team (``teams``) and owns its bots. Nobody can sign in to it.
    """

    is_organiser = models.BooleanField(_("organiser"), default=False)
    username_key = KeyField(of="username", unique=True)
    email_key = KeyField(of="email", unique=True)
    # The language that the user chose last. Emails are written in it. NULL: no sign-in since this column exists.
    language = models.CharField(_("language"), max_length=10, null=True, blank=True, editable=False)  # noqa: DJ001
    is_team = models.BooleanField(default=False, db_default=False, editable=False)
    keeps_tokens = False
    objects: ClassVar[PersonManager] = PersonManager()

    class Meta(AbstractUser.Meta):
        constraints = [
            models.CheckConstraint(
                condition=Q(is_team=False)
                | Q(is_active=False, is_staff=False, is_superuser=False, is_organiser=False, email=""),
                name="team_account_is_nobodys_to_sign_in",
            ),
        ]

    def clean(self) -> None:
        """Refuse a name or an address that differs from another account's only in its spelling."""
        super().clean()
        for field in ("username", "email"):
            key = name_key(getattr(self, field))
            if key and User.objects.filter(**{f"{field}_key": key}).exclude(pk=self.pk).exists():
                raise ValidationError({field: self.unique_error_message(User, (field,))})

    def key_of(self, field: KeyField) -> str | None:
        """Return the key to store in ``field``. Of several accounts with one address, the key belongs to the one that
        has confirmed it, or else to the oldest."""
        key = super().key_of(field)
        if field.of != "email" or key is None or self._state.adding:
            return key
        others = User.objects.filter(email_key=key).exclude(pk=self.pk)
        if not others.exists():
            return key
        if not self.emailaddress_set.filter(email=self.email, verified=True).exists():  # type: ignore[attr-defined]
            return None
        others.update(email_key=None)
        return key

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save the account. Delete its access tokens if it has a new password.

        Raises:
            IntegrityError: another account has the name or address of this new one.
        """
        has_new_password = (
            getattr(self, "_password", None) is not None and not self._state.adding
        )  # set by Django's set_password
        with transaction.atomic():
            super().save(*args, **kwargs)
            if has_new_password and not self.keeps_tokens:
                AccessToken.objects.filter(user=self).delete()


class AccessToken(AbstractAuthToken):  # type: ignore[misc]  # knox is untyped
    """A personal token for the API. The secret is shown once and stored as a digest. The token has a name and
    expires."""

    name = models.CharField(_("name"), max_length=60, default="token")
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)
    # The scopes beside reading. A token from before scopes existed has these two.
    has_upload = models.BooleanField(_("uploads and enters bots"), default=True)
    has_organise = models.BooleanField(_("organises tournaments and leagues"), default=True)
    has_hooks = models.BooleanField(_("makes and changes webhooks"), default=False)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(expiry__isnull=False), name="token_ends")]

    @property
    def scopes(self) -> list[str]:
        """The token's scopes, as the API names them."""
        chosen = {"upload": self.has_upload, "organise": self.has_organise, "hooks": self.has_hooks}
        return ["read", *(name for name, holds in chosen.items() if holds)]
