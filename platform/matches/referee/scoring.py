"""Finished games with the logs of their seats, and how the games count for a match.

This module has the seats in each rotation, places after forfeits, shares of opponents beaten, totals by seat, and the
luck of blocks. The site, authors' machines and the verification of proofs all use this code.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from math import ceil, log2
from secrets import SystemRandom
from typing import Final, TypeVar

from games.explanation import MoveExplanation
from games.record import Record
from luck import UNIT
from luck.adjusted_mean import Adjusted, luck_adjusted_mean
from matches.referee.bot_fault import OUTPUT_KEPT, SeatFault, bot_fault_text_storable

SHORTEST: Final = 1e-5  # seconds; the upper end of the first bucket
PER_OCTAVE: Final = 8  # buckets per doubling of the time: each ends 9 % above the previous one
EXPLAINED_MOST: Final = 32 * 1024  # bytes of explanations in a game


class GameLog:
    """The log of a seat in one game.

    ``chunks`` are the texts that the bot printed, each with the number of earlier actions of all players. Only the end
    of the output is kept: the first ``cut`` characters are dropped. ``times`` counts the bot's actions by buckets of
    processor time. ``slowest`` is the longest processor time of an action in seconds. ``slowest_at`` is the number of
    actions of all players before that action. ``notes`` are the bot's explanations, up to ``EXPLAINED_MOST`` bytes,
    each with the number of earlier actions of all players.
    """

    __slots__ = ("chunks", "cut", "explained", "kept", "notes", "slowest", "slowest_at", "times")

    def __init__(self) -> None:
        self.chunks: list[tuple[int, str]] = []
        self.cut = 0
        self.kept = 0  # characters
        self.times: Counter[int] = Counter()
        self.slowest = 0.0
        self.slowest_at = 0
        self.notes: list[tuple[int, MoveExplanation]] = []
        self.explained = 0  # bytes

    @property
    def text(self) -> str:
        """The output that is kept."""
        return "".join(text for _played, text in self.chunks)

    def took(self, played: int, seconds: float) -> None:
        """Record the processor time of the action that follows ``played`` others."""
        self.times[scoring_time_bucket(seconds)] += 1
        if seconds > self.slowest:
            self.slowest, self.slowest_at = seconds, played

    def explains(self, played: int, explanation: MoveExplanation) -> None:
        """Record the explanation of the action that follows ``played`` others."""
        self.explained += explanation.size
        if self.explained <= EXPLAINED_MOST:
            self.notes.append((played, explanation))

    def prints(self, played: int, output: str) -> None:
        """Record the output for the action that follows ``played`` others."""
        if not output:
            return
        text = bot_fault_text_storable(output[-OUTPUT_KEPT:], OUTPUT_KEPT)
        self.cut += len(output) - len(text)
        self.kept += len(text)
        self.chunks.append((played, text))
        while (over := self.kept - OUTPUT_KEPT) > 0:
            first, oldest = self.chunks[0]
            dropped = min(over, len(oldest))
            self.chunks[:1] = [(first, oldest[dropped:])] if dropped < len(oldest) else []
            self.kept -= dropped
            self.cut += dropped


def scoring_time_bucket(seconds: float) -> int:
    """Return the bucket of a time.

    Bucket n has the times up to ``scoring_time_bucket_end(n)`` seconds that do not belong to bucket n - 1 or below.
    """
    return 0 if seconds <= SHORTEST else ceil(PER_OCTAVE * log2(seconds / SHORTEST) - 1e-9)


def scoring_time_bucket_end(bucket: int) -> float:
    """Return the longest time in the bucket, in seconds."""
    return float(SHORTEST * 2 ** (bucket / PER_OCTAVE))


@dataclass(frozen=True, slots=True)
class GameResult:
    """A finished game. Tuples are in the order of match seats, and times are in seconds.

    ``places`` take faults into account: seats at fault share the last place.
    """

    index: int
    record: Record
    points: tuple[int, ...]
    places: tuple[int, ...]
    reason: str
    tie_break: str
    faults: tuple[SeatFault, ...]  # in the order of seats, at most one for each
    cpu: tuple[float, ...]
    slowest: tuple[float, ...]
    printed: tuple[str, ...]
    logs: tuple[GameLog, ...] = ()  # only for a game that this process has played
    luck: float = 0.0  # luck of the first seat, as a share; set only if the rule of the series subtracts luck


@dataclass(frozen=True, slots=True)
class SeatTotal:
    """The result of a seat over all games of a match; see ``matches.models.Seat``. Times are in seconds."""

    score: float
    points: int
    wins: int
    places: tuple[int, ...]
    faulty_games: int
    cpu: float
    slowest: float


def scoring_places_after_forfeits(places: Sequence[int], faulty: Collection[int]) -> tuple[int, ...]:
    """Return ``places``, changed so that the ``faulty`` seats share the last place. The others keep their order.

    Seats that tie share a place.
    """
    last = len(places) - len(faulty) + 1
    sound = [place for seat, place in enumerate(places) if seat not in faulty]
    return tuple(
        last if seat in faulty else 1 + sum(other < place for other in sound) for seat, place in enumerate(places)
    )


def scoring_shares_beaten(places: Sequence[int]) -> tuple[Fraction, ...]:
    """Return, by seat, the exact share of opponents that the seat beat, from 0 to 1. A tie counts half."""
    return _shares_beaten(tuple(places))


@lru_cache(maxsize=1 << 10)  # each game is counted at least three times, and few combinations of places exist
def _shares_beaten(places: tuple[int, ...]) -> tuple[Fraction, ...]:
    return tuple(
        Fraction(
            sum(2 * (place < other) + (place == other) for seat, other in enumerate(places) if seat != me),
            2 * (len(places) - 1),
        )
        for me, place in enumerate(places)
    )


def scoring_seat_totals(games: Iterable[GameResult]) -> tuple[SeatTotal, ...]:
    """Return the totals of each match seat over ``games``, which must not be empty."""
    games = tuple(games)
    return tuple(_total(games, seat) for seat in range(len(games[0].places)))


def _total(games: Sequence[GameResult], seat: int) -> SeatTotal:
    faulty = [any(fault.seat == seat for fault in game.faults) for game in games]
    return SeatTotal(
        score=float(sum(scoring_shares_beaten(game.places)[seat] for game in games)),
        points=sum(game.points[seat] for game, at_fault in zip(games, faulty, strict=True) if not at_fault),
        wins=sum(game.places[seat] == 1 and game.places.count(1) == 1 for game in games),
        places=tuple(game.places[seat] for game in games),
        faulty_games=sum(faulty),
        cpu=sum(game.cpu[seat] for game in games),
        slowest=max(game.slowest[seat] for game in games),
    )


Moments = Sequence[Sequence[int]]  # luck in 1e-9 shares: Moments[m][p] is moment m of table position p


@dataclass(frozen=True, slots=True)
class BlockLuck:
    """Means over the games of a block, by match seat.

    ``shares`` are the shares of opponents beaten, including the effect of faults. ``moments`` are the moments of luck.
    """

    shares: tuple[float, ...]
    moments: tuple[tuple[float, ...], ...]

    @property
    def luck(self) -> tuple[float, ...]:
        """The luck of each seat, which is its first moment."""
        return tuple(own[0] for own in self.moments)


def scoring_blocks(games: Sequence[tuple[Sequence[int], Moments]]) -> list[BlockLuck]:
    """Return the blocks of a series. ``games`` are in order, each with its places by match seat and its moments."""
    seats = len(games[0][0]) if games else 1
    numbered = groupby(enumerate(games), key=lambda game: scoring_block_of_game(game[0], seats))
    return [_block(list(group)) for _, group in numbered]


def scoring_adjusted(blocks: Iterable[tuple[float, Sequence[float]]]) -> Adjusted | None:
    """Return the adjusted mean of a seat. ``blocks`` has its share and its moments in each block.

    Return None if there are too few blocks.
    """
    known = list(blocks)
    columns = zip(*(own for _, own in known), strict=True)
    return luck_adjusted_mean([share for share, _ in known], *columns) if known else None


def _block(games: Sequence[tuple[int, tuple[Sequence[int], Moments]]]) -> BlockLuck:
    shares = [[float(share) for share in scoring_shares_beaten(places)] for _, (places, _) in games]
    by_moment = zip(
        *([scoring_by_seat(moment, index) for moment in moments] for index, (_, moments) in games), strict=True
    )
    means = [_means(moment) for moment in by_moment]
    return BlockLuck(
        tuple(sum(column) / len(games) for column in zip(*shares, strict=True)),
        tuple(zip(*means, strict=True)),
    )


def _means(moment: Sequence[Sequence[int]]) -> tuple[float, ...]:
    """Return, by seat, the mean of one moment over the games of a block, as shares."""
    return tuple(sum(column) / len(moment) / UNIT for column in zip(*moment, strict=True))


T = TypeVar("T")
_random = SystemRandom()
APART = 4  # blocks whose games are interleaved, so that games with one seed are about this many games apart
SHORT = 0.05  # seconds; the longest pause is never shorter, because ending a game may take a bot this long
LONG = 20.0  # seconds of the longest pause


def scoring_block_of_game(index: int, seats: int) -> int:
    """Return the block of game ``index``. All games of a block have the same seed."""
    return index // seats


def scoring_seats_by_position(index: int, seats: int) -> tuple[int, ...]:
    """Return the match seat at each table position of game ``index``: ``(position + rotation) % seats``.

    >>> [scoring_seats_by_position(index, seats=3) for index in range(4)]
    [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 1, 2)]
    """
    rotation = index % seats
    return tuple((position + rotation) % seats for position in range(seats))


def scoring_by_seat(values: Sequence[T], index: int) -> tuple[T, ...]:
    """Return ``values`` in the order of match seats. They are in the order of table positions in game ``index``.

    >>> scoring_by_seat((20, 0, 10), index=1)
    (10, 20, 0)
    """
    seats = len(values)
    return tuple(values[(seat - index % seats) % seats] for seat in range(seats))


def scoring_game_order(first: int, blocks: int, seats: int) -> Iterator[int]:
    """Yield the indices of the games of ``blocks`` blocks, beginning with block ``first``.

    The first rotations of all blocks come first, in random order, then the second rotations, and so on. Two games with
    the same seed are consecutive only if there is just one block.
    """
    last = -1
    for rotation in range(seats):
        order = _random.sample(range(first, first + blocks), blocks)
        if order[0] == last and blocks > 1:
            order.append(order.pop(0))
        last = order[-1]
        yield from (block * seats + rotation for block in order)


def scoring_pause_after_game(took: float, *, same_seed: bool) -> float:
    """Return the random number of seconds to wait after a game that took ``took`` seconds.

    If the next game has the same seed, a bot could send information to it by the time at which this game ends. So the
    pause may then be as long as the game was. If a bot delays the end by a second, the game is a second longer, and so
    is the longest possible pause. The next game learns little more than whether there was a delay.
    """
    return _random.uniform(0.0, min(LONG, max(SHORT, took if same_seed else 0.0)))
