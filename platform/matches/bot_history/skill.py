"""Skill and luck of a bot's versions: what their decisions lost in analysed games, with intervals."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from bots.models import Bot
from luck.adjusted_mean import NORMAL
from matches.bot_history.analysed_games import AnalysedGame, games_analysed
from matches.bot_history.costliest import CostlyRow, costliest_rows
from matches.bot_history.selectors import ANYONE, ResultOpponent
from web.optional import optional

GAMES_LEAST: Final = 20  # with fewer games, no interval is given
COSTLIEST: Final = 5


@dataclass(frozen=True, slots=True)
class VersionSkill:
    """The analysed games of a version. Losses and luck are in percentage points.

    ``lost`` is the mean loss of a game. ``half`` is half the width of its 95 % interval, or None for few games.
    ``kinds`` has the mean loss by kind of decision, largest first. ``luck`` is the total luck of all games.
    """

    version: int
    games: int
    lost: float
    half: float | None
    kinds: tuple[tuple[str, float], ...]
    luck: float


@dataclass(frozen=True, slots=True)
class Skill:
    """A bot's versions, newest first, and the costliest decisions of all of them."""

    versions: tuple[VersionSkill, ...]
    costliest: Sequence[CostlyRow]


@optional("luck and skill of a bot", lambda _bot, _known=None: None)
def bot_skill_of(bot: Bot, known: Mapping[int, Sequence[ResultOpponent]] = {}) -> Skill | None:
    """Return the skill of a bot in its newest analysed games that everyone may see.

    Games in which the bot decided nothing are left out. For ``known``, see ``costliest_rows``.
    """
    games = games_analysed(bot, ANYONE)
    by_version: defaultdict[int, list[AnalysedGame]] = defaultdict(list)
    for game in games:
        by_version[game.version].append(game)
    versions = tuple(_version(number, by_version[number]) for number in sorted(by_version, reverse=True))
    return Skill(versions, costliest_rows(bot, games, COSTLIEST, known))


def _version(number: int, games: Sequence[AnalysedGame]) -> VersionSkill:
    count = len(games)
    mean = sum(game.lost for game in games) / count
    half = None
    if count >= GAMES_LEAST:
        variance = sum((game.lost - mean) ** 2 for game in games) / (count - 1)
        half = NORMAL * sqrt(variance / count)
    kinds: Counter[str] = Counter()
    for game in games:
        kinds.update(game.kinds)
    return VersionSkill(
        version=number,
        games=count,
        lost=mean,
        half=half,
        kinds=tuple((kind, lost / count) for kind, lost in kinds.most_common()),
        luck=sum(game.luck for game in games),
    )
