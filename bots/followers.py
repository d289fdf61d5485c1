"""Who follows bots, themselves or with all others of their team."""

from collections.abc import Collection

from bots.models import Bot
from notices.following import followers_of


def bot_followers(bots: Collection[Bot]) -> dict[int, set[int]]:
    """Return who follows each bot or its team, by the bot's primary key. Of a bot with an alias nobody follows the
    team: the team's page does not list it. Two queries."""
    own = followers_of("bot", [one.pk for one in bots])
    teams = followers_of("team", {one.owner_id for one in bots if not one.author_alias})
    return {one.pk: own[one.pk] | (set() if one.author_alias else teams[one.owner_id]) for one in bots}
