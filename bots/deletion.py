"""An author deletes a version or a bot: it plays no more, and what is left names nobody.

Results stay, for they are the opponents' too, and go on to be verifiable: a record holds no name, and a version keeps
its SHA-256. Rooms above take a deleted version out of what it is still to play, and its file is dropped once nothing
needs it (``matches.retention``): each of these may be interrupted and is taken up by the next sweep.
"""

from typing import Final

from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from bots.models import Bot, BotVersion, VersionState
from notices.services import follows_delete
from web.errors import Refusal
from web.page_cache import pages_forget

NOBODY: Final = "(deleted)"  # no name that anyone can sign up with holds a bracket


class BotDeleted(Refusal):
    """It was deleted while something was done to it."""

    code = "deleted"
    status = 404

    def __init__(self) -> None:
        super().__init__(_("This bot has been deleted."))


def bot_hold(*, bot: Bot) -> None:
    """Keep a bot from being deleted until the transaction ends.

    Raises:
        BotDeleted: it is deleted already.
    """
    if not Bot.objects.select_for_update(no_key=True).filter(pk=bot.pk, deleted_at__isnull=True):
        raise BotDeleted


def nobody_account() -> AbstractUser:
    """Return the account that owns what deleted authors and bots leave behind; nobody can sign in as it."""
    found, _created = get_user_model().objects.get_or_create(
        username=NOBODY, defaults={"is_active": False, "password": make_password(None)}
    )
    return found


def version_delete(*, version: BotVersion) -> bool:
    """Delete a version that is not current; False, and no change, if it is current or deleted already."""
    with transaction.atomic():
        current = Bot.objects.select_for_update().values_list("current", flat=True).get(pk=version.bot_id)
        deleted = current != version.pk and bool(_delete(BotVersion.objects.filter(pk=version.pk)))
        if deleted:
            pages_forget()
    return deleted


def bot_delete(*, bot: Bot) -> bool:
    """Delete a bot with all its versions; False, and no change, if it is deleted already or a house bot."""
    with transaction.atomic():
        deleted = Bot.objects.filter(pk=bot.pk, deleted_at__isnull=True, is_house=False).update(
            deleted_at=timezone.now(),
            current=None,
            owner=nobody_account(),
            name=f"deleted bot {bot.pk}",
            slug=f"deleted-bot-{bot.pk}",
            blurb="",
            author_alias="",
        )
        if deleted:
            _delete(BotVersion.objects.filter(bot=bot.pk))
            follows_delete(kind="bot", targets=[bot.pk])
            pages_forget()
    return bool(deleted)


def bots_delete(*, owner_id: int) -> None:
    """Delete all bots of a person or a team, which is about to be deleted."""
    for bot in Bot.objects.filter(owner=owner_id):
        bot_delete(bot=bot)


def _delete(versions: QuerySet[BotVersion]) -> int:
    return versions.exclude(state=VersionState.DELETED).update(
        state=VersionState.DELETED,
        report={},
        message="",
        authorship="",
        model="",
        lease_expires_at=None,
        checked_for=None,
    )
