"""Personal tokens for the API: made, listed and revoked by their owner only. The secret itself is never stored."""

from collections.abc import Collection
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.accounts.models import AccessToken, User

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
