"""Who was taken out of a league and let in again."""

from django.db.models import QuerySet

from bots.models import Bot
from leagues.models import Exclusion, ExclusionAct, League


def exclusion_of(league: League, bot: Bot) -> Exclusion | None:
    """Return the act by which the bot is out of the league; None if it may join."""
    last = Exclusion.objects.filter(membership__league=league, membership__bot=bot).order_by("-pk").first()
    return last if last is not None and last.act == ExclusionAct.OUT else None


def exclusions_of(league: League) -> QuerySet[Exclusion]:
    """Return the public log of the league, the newest act first, with bots and authors."""
    found = Exclusion.objects.filter(membership__league=league).order_by("-pk")
    return found.select_related("membership__bot__owner")
