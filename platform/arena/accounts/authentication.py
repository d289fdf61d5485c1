"""Who asks the API, by a personal token; when a token was last used is kept to the minute."""

from datetime import timedelta
from typing import Any, Final

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from knox.auth import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed

from arena.accounts.models import AccessToken, User
from arena.accounts.second_factor import is_lacking

USED_EVERY: Final = timedelta(minutes=1)  # reading the API writes to the database that often at most


class PersonalToken(TokenAuthentication):  # type: ignore[misc]  # knox is untyped
    """As knox has it: ``Authorization: Token peck_...``.

    A token needs no code. Where a second factor is required of its owner, it works from the day there is one.
    """

    def _cleanup_token(self, auth_token: AccessToken) -> bool:
        """Return whether it has run out. Knox would read and drop all tokens of the person for each request:
        ``accounts.retention`` drops those that have ended."""
        return bool(auth_token.expiry < timezone.now())

    def validate_user(self, auth_token: AccessToken) -> tuple[User, AccessToken]:
        found: tuple[User, AccessToken] = super().validate_user(auth_token)
        if is_lacking(found[0]):
            raise AuthenticationFailed(_("This site asks you for a second factor: set it up on its pages first."))
        now = timezone.now()
        rarely = Q(last_used_at=None) | Q(last_used_at__lt=now - USED_EVERY)
        if auth_token.last_used_at is None or auth_token.last_used_at < now - USED_EVERY:
            AccessToken.objects.filter(rarely, pk=auth_token.pk).update(last_used_at=now)
        return found


class PersonalTokenScheme(KnoxTokenScheme):  # type: ignore[no-untyped-call]  # drf-spectacular's is untyped
    """The same for the OpenAPI page."""

    target_class: Any = "arena.accounts.authentication.PersonalToken"
