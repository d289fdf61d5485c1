"""Who sees which leagues."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Count, Q, QuerySet

from bots.models import Bot, BotVersion, VersionState
from leagues.models import (
    STANDING,
    League,
    LeagueState,
    Membership,
    MembershipState,
    Season,
    SeasonEntry,
    SeasonEntryState,
    SeasonState,
)
from leagues.permissions import may_run


def leagues_visible(user: AbstractBaseUser | AnonymousUser) -> QuerySet[League]:
    """Return all leagues, newest first, without other people's drafts; with ``bot_count``."""
    active = Q(memberships__state=MembershipState.ACTIVE)
    found = League.objects.select_related("organiser").annotate(bot_count=Count("memberships", filter=active))
    found = found.order_by("-created_at", "-pk")
    if getattr(user, "is_staff", False):
        return found
    return found.filter(~Q(state=LeagueState.DRAFT) | Q(organiser=user.pk))


def current_season(league: League) -> Season | None:
    """Return the running season, or the last one."""
    return current_seasons([league]).get(league.pk)


def current_seasons(leagues: Iterable[League]) -> dict[int, Season]:
    """Return the running season, or the last one, by league; none of one that has not opened."""
    return {one.league_id: one for one in Season.objects.filter(league__in=list(leagues)).order_by("number")}


def bots_that_may_join(league: League, user: AbstractBaseUser | AnonymousUser) -> QuerySet[Bot]:
    """Return the bots with an accepted version for the game that are not in: the user's, and house bots for the
    organiser.
    """
    allowed = Q(owner=user.pk)
    if may_run(user, league):
        allowed |= Q(is_house=True)
    members = Membership.objects.filter(league=league, state=MembershipState.ACTIVE).values("bot")
    return (
        Bot.objects.filter(allowed, game=league.game, current__state=VersionState.ACCEPTED)
        .exclude(pk__in=members)
        .order_by("is_house", "name")
    )


def memberships_of(bot: Bot, user: AbstractBaseUser | AnonymousUser) -> list[dict[str, Any]]:
    """Return the leagues of a bot, and for its author those it might join: ``league``, ``membership`` or None, and the
    version that stands on the running season's ladder, ``standing``, or None."""
    members = Membership.objects.filter(bot=bot, state=MembershipState.ACTIVE).select_related("league", "bot__current")
    members = members
    standing = standing_of(bot)
    found: list[dict[str, Any]] = [
        {"league": one.league, "membership": one, "standing": standing.get(one.pk)} for one in members
    ]
    if user.pk == bot.owner_id:
        others = League.objects.filter(state=LeagueState.OPEN, ruleset__startswith=f"{bot.game}/")
        found += [{"league": one, "membership": None} for one in others.exclude(memberships__in=members)]
    return found


@dataclass(frozen=True, slots=True)
class MemberStanding:
    """How a bot's version stands on the ladder of a running season, for its author."""

    entry: SeasonEntry
    current: BotVersion | None
    chosen_at: datetime | None

    @property
    def is_benched(self) -> bool:
        """And stays so until its author has done something."""
        return self.entry.state == SeasonEntryState.BENCHED and not self.plays_again

    @property
    def plays_again(self) -> bool:
        """It was benched, and its author has chosen it again since."""
        when, same = self.entry.benched_at, self.current is not None and self.current.pk == self.entry.version_id
        return bool(same and when and self.chosen_at and self.chosen_at > when)

    @property
    def switches(self) -> bool:
        """Whether another version may take its place."""
        return self.entry.season.switches

    @property
    def waiting(self) -> BotVersion | None:
        """The current version, if it is another one and has to wait for the next season."""
        other = self.current is not None and self.current.pk != self.entry.version_id
        return self.current if other and not self.switches else None


def standing_of(bot: Bot) -> dict[int, MemberStanding]:
    """Return by membership how a bot stands in the running seasons of its leagues."""
    found = SeasonEntry.objects.filter(membership__bot=bot, season__state=SeasonState.RUNNING, state__in=STANDING)
    found = found.select_related("season__league", "version", "membership__bot__current").order_by("pk")
    return {
        one.membership_id: MemberStanding(one, one.membership.bot.current, one.membership.bot.chosen_at)
        for one in found
    }
