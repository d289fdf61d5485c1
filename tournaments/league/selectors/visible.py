"""Who sees which leagues."""

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from bots.models import Bot, VersionState
from tournaments.league.models import (
    Contender,
    ContenderState,
    League,
    LeagueState,
    Membership,
    MembershipState,
    Season,
    SeasonState,
)
from tournaments.league.permissions import may_run


def leagues_visible(user: AbstractBaseUser | AnonymousUser) -> QuerySet[League]:
    """All leagues, newest first, without other people's drafts; with ``bot_count``."""
    active = Q(memberships__state=MembershipState.ACTIVE)
    found = League.objects.select_related("organiser").annotate(bot_count=Count("memberships", filter=active))
    found = found.order_by("-created", "-pk")
    if getattr(user, "is_staff", False):
        return found
    return found.filter(~Q(state=LeagueState.DRAFT) | Q(organiser=user.pk))


def current_season(league: League) -> Season | None:
    """The running season, or the last one."""
    return current_seasons([league]).get(league.pk)


def current_seasons(leagues: Iterable[League]) -> dict[int, Season]:
    """The running season, or the last one, by league; none of one that has not opened."""
    return {one.league_id: one for one in Season.objects.filter(league__in=list(leagues)).order_by("number")}


def bots_that_may_join(league: League, user: AbstractBaseUser | AnonymousUser) -> QuerySet[Bot]:
    """Bots with an accepted version for the game that are not in: the user's, and house bots for the organiser."""
    allowed = Q(owner=user.pk)
    if may_run(user, league):
        allowed |= Q(is_house=True)
    members = Membership.objects.filter(league=league, state=MembershipState.ACTIVE).values("bot")
    return (
        Bot.objects.filter(allowed, ruleset=league.game, current__state=VersionState.ACCEPTED)
        .exclude(pk__in=members)
        .order_by("is_house", "name")
    )


def memberships_of(bot: Bot, user: AbstractBaseUser | AnonymousUser) -> list[dict[str, Any]]:
    """The leagues of a bot, and for its author those it might join: ``league``, and ``membership``, with whether it is
    ``benched`` there, or None."""
    benched = Contender.objects.filter(
        membership=OuterRef("pk"), state=ContenderState.BENCHED, season__state=SeasonState.RUNNING
    )
    members = Membership.objects.filter(bot=bot, state=MembershipState.ACTIVE).select_related("league")
    members = members.annotate(benched=Exists(benched))
    found: list[dict[str, Any]] = [{"league": one.league, "membership": one} for one in members]
    if user.pk == bot.owner_id:
        others = League.objects.filter(state=LeagueState.OPEN, ruleset__startswith=f"{bot.ruleset}/")
        found += [{"league": one, "membership": None} for one in others.exclude(memberships__in=members)]
    return found
