"""People and their access tokens."""

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken


class User(AbstractUser):  # type: ignore[django-manager-missing]  # knox is untyped
    """A person; ``is_organiser`` may create tournaments, ``is_staff`` may administer the site."""

    is_organiser = models.BooleanField(_("organiser"), default=False)


class AccessToken(AbstractAuthToken):  # type: ignore[misc]  # knox is untyped
    """A personal token for the API: shown once, stored as a digest, named by its owner."""

    name = models.CharField(_("name"), max_length=60, default="token")
