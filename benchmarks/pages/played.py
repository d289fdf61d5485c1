"""Finish matches without playing them: a few are really played, and all others get copies of their games."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import Any, Final

from django.db import connection
from django.utils import timezone

from matches.models import Game, Match, MatchState, Seat
from tests.bots.factories import BotVersionFactory
from tests.matches.factories import FinishedMatchFactory

STORED: Final = ("record", "points", "places", "reason", "tie_break")
TOTALS: Final = ("score", "points", "wins", "places", "faulty_games", "has_forfeited", "cpu_ms", "slowest_ms")
# A bot that plays random legal actions: its games are short and end in many ways.
SOURCE: Final = b"import random\ndice = random.Random(%d)\ndef act(view):\n    return dice.choice(view['actions'])\n"
BATCH: Final = 2000  # matches


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """The data to write for a match: its secret, its games and the totals of its seats."""

    secret: bytes
    games: tuple[dict[str, Any], ...]
    seats: tuple[dict[str, Any], ...]
    speed: float | None

    @property
    def balance(self) -> float:
        """The lead of the first seat over the second."""
        return float(self.seats[0]["score"] - self.seats[1]["score"])


def matches_play(count: int, *, blocks: int) -> None:
    """Play ``count`` matches for two, all between the first two bots of the site, which stay there."""
    bots = [BotVersionFactory(source=SOURCE % number) for number in range(2)]
    for number in range(count):
        FinishedMatchFactory(seats=bots, blocks=blocks, secret=bytes([number % 256]) * 32)


def matches_played(count: int) -> list[PlayedMatch]:
    """Return the first matches of the site."""
    return [
        PlayedMatch(
            bytes(match.secret),
            tuple({name: getattr(game, name) for name in STORED} for game in match.games.all()),
            tuple({name: getattr(seat, name) for name in TOTALS} for seat in match.seats.all()),
            match.worker_speed,
        )
        for match in Match.objects.order_by("pk")[:count]
    ]


class Referee:
    """Decides matches by the strengths of their bots, in logits."""

    def __init__(self, played: Sequence[PlayedMatch], strengths: Mapping[int, float], rng: random.Random) -> None:
        self._first = [one for one in played if one.balance >= 0]
        self._second = [one for one in played if one.balance <= 0]
        self._strengths = strengths
        self._rng = rng

    def end(self, matches: Iterable[int]) -> int:
        """Write the results of these matches as a worker does. Return their number."""
        numbers = list(matches)
        for start in range(0, len(numbers), BATCH):
            self._end(numbers[start : start + BATCH])
        return len(numbers)

    def _end(self, numbers: Sequence[int]) -> None:
        seats: dict[int, list[Seat]] = {}
        for seat in Seat.objects.filter(match__in=numbers).select_related("version").order_by("index"):
            seats.setdefault(seat.match_id, []).append(seat)
        games, now = [], timezone.now()
        rows, matches = [], []
        for number, table in seats.items():
            one = self._chosen([self._strengths[seat.version.bot_id] for seat in table])
            games += [Game(match_id=number, attempt=1, index=at, **game) for at, game in enumerate(one.games)]
            for seat, totals in zip(table, one.seats, strict=True):
                rows.append((*(_column(totals[name]) for name in TOTALS), seat.pk))
            matches.append((one.secret, one.speed, number))
        Game.objects.bulk_create(games, batch_size=5000)
        with connection.cursor() as cursor:
            marks = ", ".join(f"{name} = %s" for name in TOTALS)
            cursor.executemany(f"UPDATE matches_seat SET {marks} WHERE id = %s", rows)
            cursor.executemany("UPDATE matches_match SET secret = %s, worker_speed = %s WHERE id = %s", matches)
        Match.objects.filter(pk__in=numbers).update(
            state=MatchState.FINISHED,
            lease_expires_at=None,
            started_at=now,
            finished_at=now,
            attempt=1,
            blocks_kept=1,
            blocks_played=len(self._first[0].games) // 2,
            duration_ms=600,
            worker="player@here:1",
        )

    def _chosen(self, strengths: Sequence[float]) -> PlayedMatch:
        wins = 1 / (1 + exp(2 * (strengths[1] - strengths[0])))
        return self._rng.choice(self._first if self._rng.random() < wins else self._second)


def _column(value: Any) -> Any:
    return f"{value}" if isinstance(value, list) else value
