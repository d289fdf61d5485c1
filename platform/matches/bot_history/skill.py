"""What a bot's decisions lost, and what luck it had, by version: of its games that were analysed."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Final

from bots.models import Bot
from luck import UNIT
from luck.adjusting import NORMAL
from matches.bot_history.selectors import ANYONE, ListReader
from matches.models import Analysis
from matches.referee.scoring import seats_by_position
from web.optional import optional

GAMES_MOST: Final = 2000  # the newest ones
GAMES_LEAST: Final = 20  # from so many on there is an interval
COSTLIEST: Final = 5
POINTS: Final = 100 / UNIT


@dataclass(frozen=True, slots=True)
class VersionSkill:
    """Of a version's analysed games: points of a hundred lost by a game's decisions on average, half the width of the
    95 % interval of that (None for a few games), by kind of decision, the most first; and the luck of all of them."""

    version: int
    games: int
    lost: float
    half: float | None
    kinds: tuple[tuple[str, float], ...]
    luck: float


@dataclass(frozen=True, slots=True)
class CostlyDecision:
    """A decision that lost so many points: at a ``step`` of a match's game, both as addresses have them."""

    match: int
    game: int  # from 1
    step: int
    version: int
    lost: float


@dataclass(frozen=True, slots=True)
class Skill:
    """By version, the newest first, and the costliest decisions of them all."""

    versions: tuple[VersionSkill, ...]
    costliest: tuple[CostlyDecision, ...]


@dataclass(frozen=True, slots=True)
class AnalysedGame:
    """A game of a bot by its ``analysis``: what its decisions there lost, in points of a hundred, and ``worst``: step
    and loss of the costliest, in 1e-9 shares. ``position``: of the bot at the table."""

    analysis: int
    value: str
    match: int
    game: int  # from 1
    position: int
    version: int
    decisions: int
    lost: float
    luck: float
    kinds: Mapping[str, float]
    worst: Sequence[int]


@optional("luck and skill of a bot", lambda _bot: None)
def skill_of(bot: Bot) -> Skill | None:
    """Read the newest analysed games that everyone may look at. Games without a decision of its own are left out."""
    games = games_analysed(bot, ANYONE)
    by_version: defaultdict[int, list[AnalysedGame]] = defaultdict(list)
    for game in games:
        by_version[game.version].append(game)
    worst = sorted((game for game in games if game.worst[1] > 0), key=lambda game: -game.worst[1])[:COSTLIEST]
    return Skill(
        tuple(_version(number, by_version[number]) for number in sorted(by_version, reverse=True)),
        tuple(CostlyDecision(one.match, one.game, one.worst[0], one.version, one.worst[1] * POINTS) for one in worst),
    )


def games_analysed(bot: Bot, reader: ListReader) -> list[AnalysedGame]:
    """Return the newest analysed games of the bot that ``reader`` is shown, in which it decided anything. One query."""
    shown = reader.finished("game__match__seats__")
    analyses = Analysis.objects.filter(shown, sums__isnull=False, game__match__seats__version__bot=bot)
    fields = ("match", "index", "match__seats__index", "match__seats__version__number", "places")
    found = analyses.order_by("-game__match", "game__index")
    rows = found.values_list("pk", "value", "sums", *(f"game__{one}" for one in fields))
    return [game for row in rows[:GAMES_MOST] if (game := _game(*row)) is not None]


def _game(
    analysis: int,
    value: str,
    sums: Mapping[str, Any],
    match: int,
    index: int,
    seat: int,
    version: int,
    places: Sequence[int],
) -> AnalysedGame | None:
    position = seats_by_position(index, len(places)).index(seat)
    decisions = sums["decisions"][position]
    if not decisions:
        return None
    kinds = {kind: lost * POINTS for kind, lost in sums["kinds"][position].items()}
    lost, luck = sums["lost"][position] * POINTS, sums["luck"][position] * POINTS
    worst = sums["worst"][position]
    return AnalysedGame(analysis, value, match, index + 1, position, version, decisions, lost, luck, kinds, worst)


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
