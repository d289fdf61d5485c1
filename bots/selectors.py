"""Selectors of bots and versions for pages, the API and other apps."""

from collections.abc import Collection
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Case, Count, F, Max, OuterRef, Q, QuerySet, Subquery, When

from bots.models import Bot, BotVersion, VersionState
from bots.uploads import UploadLimits
from groups.selectors import is_in_group_with_large_uploads
from notices.following import followers_of
from teams.selectors import team_owners_of


def bots_of_user_and_teams(user: Any) -> QuerySet[Bot]:
    """Return the bots of ``user`` and of their teams, as ``bots_of`` does."""
    return _listed(Bot.objects.filter(owner__in=team_owners_of(user)))


def bots_of(owner: Any) -> QuerySet[Bot]:
    """Return an author's bots, newest first.

    Each has ``latest_number`` and ``latest_state`` of its newest version, and ``waiting_count``.
    """
    return _listed(Bot.objects.filter(owner=owner))


def _listed(bots: QuerySet[Bot]) -> QuerySet[Bot]:
    waiting = Q(versions__state__in=[VersionState.QUEUED, VersionState.CHECKING])
    newest = BotVersion.objects.filter(bot=OuterRef("pk")).order_by("-number")
    return (
        bots.select_related("current", "owner")
        .annotate(
            latest_number=Max("versions__number"),
            latest_state=Subquery(newest.values("state")[:1]),
            waiting_count=Count("versions", filter=waiting),
        )
        .order_by("-created_at", "-pk")
    )


def bot_upload_limits_of(user: AbstractBaseUser | AnonymousUser) -> UploadLimits:
    """Return the limits of an upload by ``user``, for their own bot or a team's. They depend on who uploads."""
    limits: UploadLimits = (
        settings.LARGE_UPLOAD_LIMITS if is_in_group_with_large_uploads(user) else settings.UPLOAD_LIMITS
    )
    return limits


def bots_public() -> QuerySet[Bot]:
    """Return every bot with its owner and current version."""
    return Bot.objects.select_related("owner", "current")


def bot_author_shown(path: str = "") -> Case:
    """Return an expression for the author's public name, the same as ``Bot.author_name``. ``path`` leads to the bot."""
    return Case(When(**{f"{path}author_alias": ""}, then=F(f"{path}owner__username")), default=F(f"{path}author_alias"))


def bots_shown_of(owner_id: int, reader: Any) -> QuerySet[Bot]:
    """Return the bots on the page of an author for ``reader``. Only the author and staff see those with an alias."""
    bots = bots_public().filter(owner=owner_id)
    return bots if reader.is_staff else bots.filter(Q(author_alias="") | Q(owner__in=team_owners_of(reader)))


def bots_ready(game: str) -> QuerySet[Bot]:
    """Return the bots of a game with an accepted current version, by name."""
    return bots_public().filter(game=game, current__state=VersionState.ACCEPTED).order_by("name", "pk")


def bot_versions_playable(user: Any, game: str) -> QuerySet[BotVersion]:
    """Return the accepted versions of ``game`` whose files ``user`` may read, newest first, each with its bot."""
    own = BotVersion.objects.filter(bot__owner__in=team_owners_of(user), bot__game=game, bot__deleted_at__isnull=True)
    playable = own.filter(state=VersionState.ACCEPTED, kept__gt=0)
    return playable.select_related("bot__owner").defer("report").order_by("-pk")


def bot_versions_stored_of(bot: Bot) -> QuerySet[BotVersion]:
    """Return the versions of ``bot_versions_of`` whose files are stored."""
    return bot_versions_of(bot).filter(kept__gt=0)


def bot_versions_of(bot: Bot) -> QuerySet[BotVersion]:
    """Return a bot's versions, newest first, without their contents."""
    return BotVersion.objects.filter(bot=bot).defer("report").order_by("-number")


def bot_followers_of(bots: Collection[Bot]) -> dict[int, set[int]]:
    """Return the followers of each bot and of its owner, a person or a team, by the bot's primary key. Three queries.

    Followers of the owner are left out for a bot with an alias, because the owner's page does not list it.
    """
    own = followers_of("bot", [one.pk for one in bots])
    owners = {one.owner_id for one in bots if not one.author_alias}
    of_owners = [followers_of(kind, owners) for kind in ("person", "team")]
    return {one.pk: own[one.pk].union(*(found.get(one.owner_id, ()) for found in of_owners)) for one in bots}
