"""Access tokens for the API: create, list and revoke one's own, and authenticate requests. Only a digest is stored."""

from collections.abc import Collection
from datetime import timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from knox.auth import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed

from arena.accounts.models import AccessToken, User
from arena.accounts.second_factor import second_factor_is_lacking

MOST: Final = 20  # one token for each machine is enough
YEAR: Final = 365  # days
SCOPES: Final = ("upload", "organise", "hooks")  # beside "read", which every token has


class TooManyTokens(ValueError):
    """The owner has reached the limit of tokens."""

    def __init__(self) -> None:
        super().__init__(_("You have %(most)d tokens already. Revoke one that you no longer use.") % {"most": MOST})


def tokens_of(owner: User) -> QuerySet[AccessToken]:
    """Return the owner's unexpired tokens, newest first."""
    good = AccessToken.objects.filter(user=owner, expiry__gt=timezone.now())
    tokens: QuerySet[AccessToken] = good.order_by("-created")
    return tokens


def token_create(*, owner: User, name: str, days: int = YEAR, scopes: Collection[str] = SCOPES) -> str:
    """Create a token with ``scopes`` in addition to reading, valid for ``days``. Return its secret, which cannot be
    read again.

    Raises:
        TooManyTokens: the owner has ``MOST`` tokens.
    """
    with transaction.atomic():
        # With this lock, a second simultaneous request counts the token of the first.
        User.objects.select_for_update(no_key=True).get(pk=owner.pk)
        if tokens_of(owner).count() >= MOST:
            raise TooManyTokens
        secret: str
        _token, secret = AccessToken.objects.create(
            owner, name=name, expiry=timedelta(days=days), **{f"has_{one}": one in scopes for one in SCOPES}
        )
    return secret


def token_revoke(*, owner: User, key: str) -> bool:
    """Delete the owner's token that begins with ``key``. Return False if there is none."""
    deleted, _by_model = tokens_of(owner).filter(token_key=key).delete()
    return deleted > 0


USED_EVERY: Final = timedelta(minutes=1)  # how often the time of a token's last use is written at most


class PersonalToken(TokenAuthentication):  # type: ignore[misc]  # knox is untyped
    """Authenticate by ``Authorization: Token peck_...``.

    A request with a token needs no second factor. If the site requires one of the owner, the token works only after the
    owner has set it up.
    """

    def _cleanup_token(self, auth_token: AccessToken) -> bool:
        """Return whether the token has expired. Expired tokens are not deleted here, but by
        ``account_sessions_forget``: Knox would read and delete all expired tokens of the user in each request.
        """
        return bool(auth_token.expiry < timezone.now())

    def validate_user(self, auth_token: AccessToken) -> tuple[User, AccessToken]:
        found: tuple[User, AccessToken] = super().validate_user(auth_token)
        if second_factor_is_lacking(found[0]):
            raise AuthenticationFailed(_("This site asks you for a second factor: set it up on its pages first."))
        now = timezone.now()
        rarely = Q(last_used_at=None) | Q(last_used_at__lt=now - USED_EVERY)
        if auth_token.last_used_at is None or auth_token.last_used_at < now - USED_EVERY:
            AccessToken.objects.filter(rarely, pk=auth_token.pk).update(last_used_at=now)
        return found


class PersonalTokenScheme(KnoxTokenScheme):  # type: ignore[no-untyped-call]  # drf-spectacular's is untyped
    """``PersonalToken`` in the OpenAPI schema."""

    target_class: Any = "arena.accounts.tokens.PersonalToken"
