"""Demo leagues: house bots on a standing ladder, which climbs while one looks and rests once it is settled, or nobody
looks.

They are paced, so that of two workers one at most plays them; the other one is the cups'.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from arena.accounts.models import User
from bots.models import Bot
from leagues.models import League, LeagueState, MembershipState
from leagues.services import bot_join, league_create, league_open
from web.visits import visit_note


@dataclass(frozen=True, slots=True)
class DemoLadder:
    """What a demo league is like; ``min_action_ms``: brisk enough for it to climb, slow enough to leave the processor
    to others.
    """

    name: str
    ruleset: str
    seats: int
    min_action_ms: int


LADDERS: Final = (
    DemoLadder("Yard Ladder", "pickomino", 2, 20),
    DemoLadder("Specialists' Ladder", "heckmeck", 2, 20),
    DemoLadder("Mountain Ladder", "laghetti", 3, 20),
    DemoLadder("Card Ladder", "karteneck", 2, 20),
)


def ladder_ensure(*, ladder: DemoLadder, organiser: User, bots: Iterable[Bot]) -> League:
    """Return the league, open, with ``bots`` in it. May be called again after it was interrupted anywhere."""
    visit_note()  # whoever starts a site is about to look at it
    own = League.objects.filter(organiser=organiser, name=ladder.name).order_by("pk")
    league = own.first() or _create(ladder, organiser)
    if league.state == LeagueState.DRAFT:
        league = league_open(league=league)
    if league.state == LeagueState.OPEN:
        members = set(league.memberships.filter(state=MembershipState.ACTIVE).values_list("bot", flat=True))
        for bot in bots:
            if bot.pk not in members:
                bot_join(league=league, bot=bot, by=organiser)
    return league


def _create(ladder: DemoLadder, organiser: User) -> League:
    return league_create(
        organiser=organiser,
        name=ladder.name,
        description="The house bots' standing ladder. Let your bot join: its versions will follow by themselves.",
        ruleset=ladder.ruleset,
        players_per_table=ladder.seats,
        blocks=1,
        min_action_ms=ladder.min_action_ms,
    )
