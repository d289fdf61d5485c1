"""Who was taken out of a league and let in again."""

from django.db.models import OuterRef, QuerySet, Subquery

from bots.models import Bot
from leagues.models import Exclusion, ExclusionAct, League, Membership


def exclusion_of(league: League, bot: Bot) -> Exclusion | None:
    """Return the act by which the bot is out of the league; None if it may join."""
    last = Exclusion.objects.filter(membership__league=league, membership__bot=bot).order_by("-pk").first()
    return last if last is not None and last.act == ExclusionAct.OUT else None


def bots_out_of(league: League) -> QuerySet[Bot]:
    """Return the bots that are out by an act."""
    last = Exclusion.objects.filter(membership=OuterRef("pk")).order_by("-pk").values("act")[:1]
    members = Membership.objects.filter(league=league).annotate(last_act=Subquery(last))
    return Bot.objects.filter(pk__in=members.filter(last_act=ExclusionAct.OUT).values("bot"))


def exclusions_of(league: League) -> QuerySet[Exclusion]:
    """Return the public log of the league, the newest act first, with bots and authors."""
    found = Exclusion.objects.filter(membership__league=league).order_by("-pk")
    return found.select_related("membership__bot__owner")
