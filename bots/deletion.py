"""Deletion of versions and bots by their author. A deleted version or bot plays no more, and what remains of it
contains no names.

Results are kept, because they belong to the opponents too. They stay verifiable: a record has no names, and a version
keeps its SHA-256. Apps above remove a deleted version from its pending matches. Its file is deleted once nothing needs
it (``matches.retention``). If one of these steps is interrupted, the next sweep continues it.
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
from notices.following import follows_delete
from web.errors import Refusal
from web.page_cache import pages_forget

NOBODY: Final = "(deleted)"  # user names cannot contain brackets


class BotDeleted(Refusal):
    """The bot was deleted meanwhile."""

    code = "deleted"
    status = 404

    def __init__(self) -> None:
        super().__init__(_("This bot has been deleted."))


def bot_lock_against_deletion(*, bot: Bot) -> None:
    """Lock a bot, so that it cannot be deleted until the transaction ends.

    Raises:
        BotDeleted: it is deleted already.
    """
    if not Bot.objects.select_for_update(no_key=True).filter(pk=bot.pk, deleted_at__isnull=True):
        raise BotDeleted


def deleted_bots_account() -> AbstractUser:
    """Return the account that owns the data that remain of deleted authors and bots. Nobody can sign in to this
    account.
    """
    found, _created = get_user_model().objects.get_or_create(
        username=NOBODY, defaults={"is_active": False, "password": make_password(None)}
    )
    return found


def version_delete(*, version: BotVersion) -> bool:
    """Delete a version. Return False, and change nothing, if it is current or deleted already."""
    with transaction.atomic():
        current = Bot.objects.select_for_update().values_list("current", flat=True).get(pk=version.bot_id)
        deleted = current != version.pk and bool(_delete(BotVersion.objects.filter(pk=version.pk)))
        if deleted:
            pages_forget()
    return deleted


def bot_delete(*, bot: Bot) -> bool:
    """Delete a bot with all its versions. Return False, and change nothing, if it is deleted already or a house bot."""
    with transaction.atomic():
        deleted = Bot.objects.filter(pk=bot.pk, deleted_at__isnull=True, is_house=False).update(
            deleted_at=timezone.now(),
            current=None,
            owner=deleted_bots_account(),
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
    """Delete all bots of a person or a team that is about to be deleted."""
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
