"""Who plays for the teams of a tournament, as pages show it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from bots.models import Bot
from tournaments.models import TeamPlayer, Tournament


def team_players_of(tournament: Tournament) -> Mapping[int, Sequence[str]]:
    """Return by team the names of those who were in it when entries were frozen. One query."""
    found: dict[int, list[str]] = defaultdict(list)
    players = TeamPlayer.objects.filter(tournament=tournament).order_by("pk")
    for team, name in players.values_list("team", "person__username"):
        found[team].append(name)
    return found


def named_twice(bot: Bot) -> str:
    """Say why a bot may not enter whose people are in already."""
    return _(
        "%(bot)s cannot enter: somebody who would play with it is in this tournament already, alone or in another team."
    ) % {"bot": bot.name}
