"""The results of a bot against each opponent, its recent form, and its best game."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bots.models import Bot
from matches.bot_history.selectors import ANYONE, ListReader, ResultOpponent, match_rulings_of
from matches.models import Game, Seat

MATCHES: Final = 400  # older matches are ignored
RECENT: Final = 10  # matches in the recent form
OPPONENTS: Final = 8  # the most frequent opponents
GAMES_FROM: Final = 60  # the best game is sought in the newest matches


@dataclass(slots=True)
class Tally:
    """The number of comparisons in which the bot did better, equally well, or worse."""

    better: int = 0
    level: int = 0
    worse: int = 0

    @property
    def met(self) -> int:
        return self.better + self.level + self.worse

    @property
    def share(self) -> float:
        """The share that the bot won, from 0 to 1; a level comparison counts as a half."""
        return (self.better + self.level / 2) / self.met if self.met else 0.0

    def add(self, own: float, other: float) -> None:
        if abs(own - other) < 1e-9:
            self.level += 1
        elif own > other:
            self.better += 1
        else:
            self.worse += 1


@dataclass(frozen=True, slots=True)
class Rivalry:
    name: str
    slug: str
    tally: Tally


@dataclass(frozen=True, slots=True)
class BestGame:
    """The game in which the bot scored the most points. ``game`` counts from 1."""

    match: int
    game: int
    points: int


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """The results of a bot in its last ``MATCHES`` matches.

    ``rivals`` are the most frequent opponents. ``met`` is the number of all opponents. ``tables`` has the seats of each
    match. ``recent`` has the last ``RECENT`` matches that count: "better" means that the bot beat more than half of its
    opponents.
    """

    rivals: tuple[Rivalry, ...]
    best: BestGame | None
    met: tuple[Rivalry, ...]
    tables: Mapping[int, Sequence[ResultOpponent]]
    recent: Tally

    @property
    def share(self) -> float | None:
        """The share of opponents that the bot beat, from 0 to 1; None if it had no opponents. A tie counts half."""
        met = sum(one.tally.met for one in self.met)
        return sum(one.tally.share * one.tally.met for one in self.met) / met if met else None


def head_to_head(bot: Bot, reader: ListReader = ANYONE) -> HeadToHead:
    """Return the results of ``bot`` in the last matches that ``reader`` may see, after all rulings.

    Against a bot that did not forfeit, a bot that forfeited did worse. This takes two queries, and those for rulings.
    """
    last = (
        Seat.objects.filter(reader.finished(), version__bot=bot)
        .order_by("-match__finished_at", "-match")
        .values("match")
    )
    tables = Seat.objects.filter(match__in=last[:MATCHES]).order_by("-match__finished_at", "-match", "index")
    fields = (
        "match",
        "index",
        "version__bot__name",
        "version__bot__slug",
        "version__number",
        "score",
        "has_forfeited",
        "match__contest",
    )
    own: dict[int, dict[int, float]] = defaultdict(dict)
    others, seats = [], defaultdict[int, list[ResultOpponent]](list)
    sat = list(tables.values_list(*fields))
    rulings = match_rulings_of({match: contest for match, *_, contest in sat})
    for match, index, name, slug, number, score, forfeited, _contest in sat:
        seats[match].append(ResultOpponent(name, slug, number, index))
        if (ruling := rulings.get(match)) is not None:
            if not ruling.counts:
                continue
            score, forfeited = ruling.scores.get(index, 0.0), False
        if slug == bot.slug:
            own[match][index] = _merit(score, forfeited)
        else:
            others.append((match, name, slug, _merit(score, forfeited)))
    rivals: dict[str, Rivalry] = {}
    matches: dict[int, Tally] = defaultdict(Tally)
    for match, name, slug, theirs in others:
        rival = rivals.setdefault(slug, Rivalry(name, slug, Tally()))
        for mine in own[match].values():
            rival.tally.add(mine, theirs)
            matches[match].add(mine, theirs)
    met, recent = sorted(rivals.values(), key=lambda one: (-one.tally.met, one.name)), Tally()
    for tally in list(matches.values())[:RECENT]:
        recent.add(tally.better, tally.worse)
    return HeadToHead(tuple(met[:OPPONENTS]), _best_game(own), tuple(met), seats, recent)


def _best_game(seats: dict[int, dict[int, float]]) -> BestGame | None:
    looked_at = list(seats)[:GAMES_FROM]
    games = Game.objects.filter(match__in=looked_at).order_by("match", "index") if looked_at else Game.objects.none()
    best = None
    for match, index, points in games.values_list("match", "index", "points"):
        most = max(points[seat] for seat in seats[match])
        if best is None or most > best.points:
            best = BestGame(match, index + 1, most)
    return best


def _merit(score: float | None, forfeited: bool) -> float:
    return -1.0 if forfeited else score or 0.0
