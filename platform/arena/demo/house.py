"""The house bots as bots of the site: uploaded, checked in the cage and versioned like anybody's."""

from collections.abc import Iterable
from typing import Final

from arena.accounts.models import User
from bots.models import Bot, BotVersion, VersionState
from bots.services import bot_create, version_make_current, version_upload
from games.catalogue import GAMES
from games.game import HouseBot

NAME: Final = "house"
WAITING: Final = (VersionState.QUEUED, VersionState.CHECKING)


class Unsettled(RuntimeError):
    """A house bot did not pass its check: ``bot`` is its name. Its version's page says why."""

    def __init__(self, bot: str, state: str) -> None:
        super().__init__(f"the house bot {bot} is {state}")
        self.bot = bot


def demo_account_ensure() -> User:
    """Return the user who owns the house bots and organises the demo; nobody can sign in as it."""
    user, is_new = User.objects.get_or_create(username=NAME, defaults={"is_organiser": True})
    if not user.is_organiser:  # made before only organisers could create tournaments
        user.is_organiser = True
        user.save(update_fields=["is_organiser"])
    if is_new:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    return user


def house_bots_ensure(*, house: User) -> list[BotVersion]:
    """Return the version of each house bot that ships with this release, uploaded if it is not there yet."""
    return [_version_ensure(house, game.name, one) for game in GAMES.values() for one in game.house_bots]


def house_bots_waiting(versions: Iterable[BotVersion]) -> int:
    """Return how many of them still wait for their verdict."""
    return BotVersion.objects.filter(pk__in=[one.pk for one in versions], state__in=WAITING).count()


def house_bots_settle(versions: Iterable[BotVersion]) -> list[Bot]:
    """Return their bots, each playing with the version given.

    Raises:
        Unsettled: one was not accepted.
    """
    for version in versions:
        version.refresh_from_db()
        if not version_make_current(version=version):
            raise Unsettled(version.bot.name, version.state)
    return list(Bot.objects.filter(versions__in=versions))


def _version_ensure(house: User, game: str, one: HouseBot) -> BotVersion:
    bot = Bot.objects.filter(owner=house, game=game, name=one.title).first() or bot_create(
        owner=house, name=one.title, game=game, blurb=one.blurb, is_house=True
    )
    version, _ = version_upload(bot=bot, filename=one.file_name, data=one.source())
    return version
