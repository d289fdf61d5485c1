"""Who and what is on the site before a journey begins. Runs on the site, by ``Site.manage("shell", ...)``.

Bots come accepted: how a version is checked is seen in the journeys of authors, by a worker of the site.
"""

from collections.abc import Iterable
from dataclasses import replace

from arena.accounts.models import User
from arena.demo import LADDERS, demo_account_ensure, demo_league_ensure
from bots.models import Bot
from games.catalogue import GAMES
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.browser.people import PASSWORD
from tournaments.models import Tournament
from tournaments.services import StagePlan, entry_create, tournament_create, tournament_open, tournament_start

HOUSE_BOTS = {bot.name: bot for bot in GAMES["pickomino"].house_bots}
ON_THE_LADDER = ("random", "cautious", "greedy")
DOUBTERS = ("doubter", "ferret", "otter", "lynx", "mink", "stoat", "badger")
KEYHOLDERS = ("ringbearer", "numbered")  # their addresses are confirmed: whose are not sets up no second factor
ORCHARD = ("plum", "quince", "rowan", "sloe")


def house_bots() -> list[Bot]:
    """Three that anybody may enter."""
    house = demo_account_ensure()
    return [
        BotVersionFactory(
            bot=BotFactory(owner=house, name=one.title, slug=name, is_house=True), source=one.source()
        ).bot
        for name in ON_THE_LADDER
        for one in [HOUSE_BOTS[name]]
    ]


def ladder() -> None:
    """The Yard Ladder with the house bots on it, which play as fast as they can."""
    demo_league_ensure(
        ladder=replace(LADDERS[0], min_action_ms=0),
        organiser=demo_account_ensure(),
        bots=Bot.objects.filter(is_house=True),
    )


def authors(names: Iterable[str], sources: Iterable[str], title: str = "{}") -> None:
    """Each with a bot that is called after them."""
    for name, source in zip(names, sources, strict=True):
        author = User.objects.create_user(name, f"{name}@example.org", PASSWORD)
        bot = BotFactory(owner=author, name=title.format(name.title()), slug=f"{name}-s-bot")
        BotVersionFactory(bot=bot, source=HOUSE_BOTS[source].source())


def flock(name: str, size: int) -> None:
    """One author with so many bots: to hash many passwords takes minutes on a busy machine."""
    author = User.objects.create_user(name, f"{name}@example.org", PASSWORD)
    for number in range(size):
        bot = BotFactory(owner=author, name=f"{name.title()} {number} of the Back Row", slug=f"{name}-{number}")
        BotVersionFactory(bot=bot, source=HOUSE_BOTS["random"].source())


def arrive() -> None:
    """All but the ladder, which would take the workers."""
    house_bots()
    authors(DOUBTERS, ("random", "cautious", "greedy", "random", "cautious", "greedy", "random"), "{}'s Bot")
    authors(ORCHARD, ("random",) * len(ORCHARD))
    for name in KEYHOLDERS:
        User.objects.create_user(name, f"{name}@example.org", PASSWORD)


def announce(name: str, people: Iterable[str], *, rounds: int, **fields: object) -> str:
    """Open a Swiss with these people's bots; its address."""
    cup: Tournament = tournament_create(
        organiser=User.objects.get(username="organiser"),
        name=name,
        ruleset="pickomino",
        stages=[StagePlan("swiss", rounds=rounds, blocks=1)],
        **fields,  # type: ignore[arg-type]
    )
    tournament_open(tournament=cup)
    for bot in Bot.objects.filter(owner__username__in=people):
        entry_create(tournament=cup, bot=bot, by=bot.owner)
    return f"/tournaments/{cup.slug}/"


def start(name: str) -> None:
    """Start the tournament that is called so."""
    tournament_start(tournament=Tournament.objects.get(name=name))


def begin(name: str, people: Iterable[str], *, rounds: int, **fields: object) -> str:
    """Start a Swiss of these people's bots; its address."""
    address = announce(name, people, rounds=rounds, **fields)
    start(name)
    return address
