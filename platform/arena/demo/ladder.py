"""A demo league: the house bots on a standing ladder, which climbs while one looks and rests once it is settled."""

from collections.abc import Iterable
from typing import Final

from arena.accounts.models import User
from bots.models import Bot
from tournaments.league.models import League, LeagueState, MembershipState
from tournaments.league.services import bot_join, league_create, league_open

NAME: Final = "Yard Ladder"
RULESET: Final = "pickomino"
PACE_MS: Final = 20  # brisk enough for the ladder to climb, slow enough to leave the processor to others


def ladder_ensure(*, organiser: User, bots: Iterable[Bot]) -> League:
    """The league, open, with ``bots`` in it. May be called again after it was interrupted anywhere."""
    league = League.objects.filter(organiser=organiser, name=NAME).order_by("pk").first() or _create(organiser)
    if league.state == LeagueState.DRAFT:
        league = league_open(league=league)
    if league.state == LeagueState.OPEN:
        members = set(league.memberships.filter(state=MembershipState.ACTIVE).values_list("bot", flat=True))
        for bot in bots:
            if bot.pk not in members:
                bot_join(league=league, bot=bot, by=organiser)
    return league


def _create(organiser: User) -> League:
    return league_create(
        organiser=organiser,
        name=NAME,
        description="The house bots' standing ladder. Let your bot join: its versions will follow by themselves.",
        ruleset=RULESET,
        blocks=1,
        pace_ms=PACE_MS,
    )
