"""What a bot's decisions lost, and what luck it had, by version: of its games that were analysed."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Final

from bots.models import Bot
from luck import UNIT
from luck.adjusting import NORMAL
from matches.models import Analysis, Audience, MatchState
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
class _Game:
    match: int
    game: int
    version: int
    lost: float
    luck: float
    kinds: Mapping[str, float]
    worst: Sequence[int]  # step and loss


@optional("luck and skill of a bot", lambda _bot: None)
def skill_of(bot: Bot) -> Skill | None:
    """Read the newest analysed games that everyone may look at. Games without a decision of its own are left out."""
    shown = {"game__match__state": MatchState.FINISHED, "game__match__audience": Audience.EVERYONE}
    analyses = Analysis.objects.filter(**shown, sums__isnull=False, game__match__seats__version__bot=bot)
    fields = ("match", "index", "match__seats__index", "match__seats__version__number", "places")
    found = analyses.order_by("-game__match", "game__index").values_list("sums", *(f"game__{one}" for one in fields))
    games = [game for row in found[:GAMES_MOST] if (game := _game(*row)) is not None]
    by_version: defaultdict[int, list[_Game]] = defaultdict(list)
    for game in games:
        by_version[game.version].append(game)
    worst = sorted((game for game in games if game.worst[1] > 0), key=lambda game: -game.worst[1])[:COSTLIEST]
    return Skill(
        tuple(_version(number, by_version[number]) for number in sorted(by_version, reverse=True)),
        tuple(CostlyDecision(one.match, one.game, one.worst[0], one.version, one.worst[1] * POINTS) for one in worst),
    )


def _game(
    sums: Mapping[str, Any], match: int, index: int, seat: int, version: int, places: Sequence[int]
) -> _Game | None:
    position = seats_by_position(index, len(places)).index(seat)
    if not sums["decisions"][position]:
        return None
    kinds = {kind: lost * POINTS for kind, lost in sums["kinds"][position].items()}
    lost, luck = sums["lost"][position] * POINTS, sums["luck"][position] * POINTS
    return _Game(match, index + 1, version, lost, luck, kinds, sums["worst"][position])


def _version(number: int, games: Sequence[_Game]) -> VersionSkill:
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
