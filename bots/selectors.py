"""What pages, the API and other rooms read about bots and versions."""

from typing import Any

from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery

from bots.models import Bot, BotVersion, VersionState
from teams.selectors import owners_of


def bots_for(user: Any) -> QuerySet[Bot]:
    """Return the bots of ``user`` and of their teams, as ``bots_of`` does."""
    return _listed(Bot.objects.filter(owner__in=owners_of(user)))


def bots_of(owner: Any) -> QuerySet[Bot]:
    """Return an author's bots, newest first, each with ``latest_number`` and ``latest_state`` of its newest version,
    and ``waiting_count``."""
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


def bots_public() -> QuerySet[Bot]:
    """Return every bot with its owner and current version."""
    return Bot.objects.select_related("owner", "current")


def bots_ready(game: str) -> QuerySet[Bot]:
    """Return the bots of a game that have an accepted current version, by name."""
    return bots_public().filter(game=game, current__state=VersionState.ACCEPTED).order_by("name", "pk")


def versions_of(bot: Bot) -> QuerySet[BotVersion]:
    """Return a bot's versions, newest first, without their contents."""
    return BotVersion.objects.filter(bot=bot).defer("report").order_by("-number")
