"""Personal tokens for the API: made, listed and revoked by their owner only, and who calls by one. The secret is
never stored.
"""

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

MOST: Final = 20  # a person needs one for each machine, not one for each upload
YEAR: Final = 365  # days
SCOPES: Final = ("upload", "organise", "hooks")  # beside "read", which every token has


class TooManyTokens(ValueError):
    """The owner has as many as one may."""

    def __init__(self) -> None:
        super().__init__(_("You have %(most)d tokens already. Revoke one that you no longer use.") % {"most": MOST})


def tokens_of(owner: User) -> QuerySet[AccessToken]:
    """Return the tokens that are still good, newest first."""
    good = AccessToken.objects.filter(user=owner, expiry__gt=timezone.now())
    tokens: QuerySet[AccessToken] = good.order_by("-created")
    return tokens


def token_create(*, owner: User, name: str, days: int = YEAR, scopes: Collection[str] = SCOPES) -> str:
    """Return the new token's secret, good for so many days: this is the only time that anyone sees it. It may read, and
    what ``scopes`` says beside that.

    Raises:
        TooManyTokens: revoke one first.
    """
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=owner.pk)  # of two at once, the second counts the first
        if tokens_of(owner).count() >= MOST:
            raise TooManyTokens
        secret: str
        _token, secret = AccessToken.objects.create(
            owner, name=name, expiry=timedelta(days=days), **{f"has_{one}": one in scopes for one in SCOPES}
        )
    return secret


def token_revoke(*, owner: User, key: str) -> bool:
    """End the owner's token that begins with ``key``; False if there is none."""
    deleted, _by_model = tokens_of(owner).filter(token_key=key).delete()
    return deleted > 0


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
        if second_factor_is_lacking(found[0]):
            raise AuthenticationFailed(_("This site asks you for a second factor: set it up on its pages first."))
        now = timezone.now()
        rarely = Q(last_used_at=None) | Q(last_used_at__lt=now - USED_EVERY)
        if auth_token.last_used_at is None or auth_token.last_used_at < now - USED_EVERY:
            AccessToken.objects.filter(rarely, pk=auth_token.pk).update(last_used_at=now)
        return found


class PersonalTokenScheme(KnoxTokenScheme):  # type: ignore[no-untyped-call]  # drf-spectacular's is untyped
    """The same for the OpenAPI page."""

    target_class: Any = "arena.accounts.tokens.PersonalToken"
