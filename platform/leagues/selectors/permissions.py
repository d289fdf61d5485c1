"""Permissions: who may see and run leagues, which bots may join them, and exclusions."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Case, Count, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from bots.models import Bot, VersionState
from contests.audience import audience_bots, audience_listed_to, audience_shown_beside, audience_shown_to
from leagues.models import (
    Exclusion,
    ExclusionAct,
    ExclusionBy,
    League,
    LeagueState,
    Membership,
    MembershipState,
)
from leagues.selectors.seasons import MemberStanding
from teams.selectors import acts_for_owner, team_owners_of


def may_run_league(user: AbstractBaseUser | AnonymousUser, league: League) -> bool:
    """Return whether ``user`` is the league's organiser or staff."""
    return user.pk is not None and (user.pk == league.organiser_id or bool(getattr(user, "is_staff", False)))


def may_lift_league_exclusion(user: AbstractBaseUser | AnonymousUser, league: League, taken_out: Exclusion) -> bool:
    """Return whether ``user`` may readmit an excluded bot: staff, and the organiser unless staff excluded it."""
    is_staff = user.pk is not None and bool(getattr(user, "is_staff", False))
    return is_staff or (user.pk == league.organiser_id and taken_out.by == ExclusionBy.ORGANISER)


def league_exclusion_of(league: League, bot: Bot) -> Exclusion | None:
    """Return the exclusion of the bot that is in force in the league; None if it is not excluded."""
    last = Exclusion.objects.filter(membership__league=league, membership__bot=bot).order_by("-pk").first()
    return last if last is not None and last.act == ExclusionAct.OUT else None


def league_bots_excluded(league: League) -> QuerySet[Bot]:
    """Return the bots that are excluded from the league."""
    last = Exclusion.objects.filter(membership=OuterRef("pk")).order_by("-pk").values("act")[:1]
    members = Membership.objects.filter(league=league).annotate(last_act=Subquery(last))
    return Bot.objects.filter(pk__in=members.filter(last_act=ExclusionAct.OUT).values("bot"))


def league_exclusions_of(league: League) -> QuerySet[Exclusion]:
    """Return the public log of exclusions of the league, newest first, with bots and authors."""
    found = Exclusion.objects.filter(membership__league=league).order_by("-pk")
    return found.select_related("membership__bot__owner")


def leagues_visible(user: AbstractBaseUser | AnonymousUser) -> QuerySet[League]:
    """Return the leagues that ``user`` may see with their address, newest first, with ``bot_count``. Not for lists.

    All leagues are included, except for drafts of other users and leagues of groups to which ``user`` does not belong.
    """
    return _leagues(user, audience_shown_to(user))


def leagues_listed(user: AbstractBaseUser | AnonymousUser) -> QuerySet[League]:
    """Return ``leagues_visible`` without unlisted leagues of other users, for lists and searches."""
    return _leagues(user, audience_listed_to(user))


def leagues_ordered(leagues: QuerySet[League]) -> QuerySet[League]:
    """Sort leagues for a list: running, paused, draft, closed; the newest of each first."""
    states = (
        When(state=LeagueState.OPEN, paused_at=None, then=Value(0)),
        When(state=LeagueState.OPEN, then=Value(1)),
        When(state=LeagueState.DRAFT, then=Value(2)),
    )
    return leagues.order_by(Case(*states, default=Value(3)), "-created_at", "-pk")


def _leagues(user: AbstractBaseUser | AnonymousUser, shown: Q) -> QuerySet[League]:
    active = Membership.objects.filter(league=OuterRef("pk"), state=MembershipState.ACTIVE).order_by()
    count = active.values("league").annotate(count=Count("pk")).values("count")  # a join would group by all columns
    found = League.objects.select_related("organiser", "group").annotate(bot_count=Coalesce(Subquery(count), 0))
    found = found.order_by("-created_at", "-pk")
    if getattr(user, "is_staff", False):
        return found
    return found.filter(~Q(state=LeagueState.DRAFT) & shown | Q(organiser=user.pk))


def bots_permitted_to_join_league(league: League, user: AbstractBaseUser | AnonymousUser) -> QuerySet[Bot]:
    """Return the bots that ``user`` may enter.

    A bot must have an accepted version for the game, and must not be in the league. Users may enter their own bots,
    unless they are excluded. The organiser may also enter house bots and excluded bots.
    """
    allowed = Q(owner__in=team_owners_of(user)) & ~Q(pk__in=league_bots_excluded(league))
    if may_run_league(user, league):
        allowed |= Q(is_house=True) | Q(
            pk__in=Exclusion.objects.filter(membership__league=league).values("membership__bot")
        )
    members = Membership.objects.filter(league=league, state=MembershipState.ACTIVE).values("bot")
    return (
        Bot.objects.filter(allowed, audience_bots(league), game=league.game, current__state=VersionState.ACCEPTED)
        .exclude(pk__in=members)
        .order_by("is_house", "name")
    )


def league_limit_reached(league: League, own: int) -> str:
    """Return the message that an author may enter no further bot; "" if the author may.

    ``own`` is the number of bots that the author has in the league.
    """
    limit = league.bots_per_author
    if own < limit:
        return ""
    return _("Each author may have %(limit)d in this league: take another bot of yours out first.") % {"limit": limit}


def league_memberships_visible(
    bot: Bot, user: AbstractBaseUser | AnonymousUser, standing: Mapping[int, MemberStanding]
) -> list[dict[str, Any]]:
    """Return the leagues of a bot that ``user`` may see. For its author, add those that the bot might join. One query.

    Each is a dict with ``league`` and ``membership``. If there is a membership, ``standing`` is the bot's entry on the
    ladder of the running season, which is taken from the argument ``standing``, or None. If there is no membership,
    ``taken_out`` is the reason why the bot may not join again, or "".
    """
    acts = Exclusion.objects.filter(membership__league=OuterRef("pk"), membership__bot=bot).order_by("-pk")
    active = Membership.objects.filter(league=OuterRef("pk"), bot=bot, state=MembershipState.ACTIVE)
    shown = Q(member__isnull=False) & audience_shown_beside(user, bot.owner_id)
    if acts_for_owner(user, bot.owner_id):
        of_its_group = Q(group=bot.alias_group_id) if bot.alias_group_id else audience_listed_to(user)
        shown |= Q(state=LeagueState.OPEN, ruleset__startswith=f"{bot.game}/") & audience_listed_to(user) & of_its_group
    leagues = League.objects.annotate(
        member=Subquery(active.values("pk")[:1]),
        last_act=Subquery(acts.values("act")[:1]),
        last_reason=Subquery(acts.values("reason")[:1]),
    ).filter(shown)
    members = [
        {
            "league": one,
            "membership": Membership(pk=one.member, league=one, bot=bot),
            "standing": standing.get(one.member),
        }
        for one in sorted(leagues, key=lambda one: one.member or 0)
        if one.member
    ]
    others = [
        {"league": one, "membership": None, "taken_out": one.last_reason if one.last_act == ExclusionAct.OUT else ""}
        for one in leagues
        if not one.member
    ]
    return members + others
