"""A finished game with the log of each seat, and what games are worth to a match: who sits where in each rotation,
places after forfeits, shares of opponents beaten, totals by seat, and the luck of blocks.

It is the same on the site, at home, and where a proof is verified.
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
from luck.adjusting import Adjusted, adjusted
from matches.referee.bot_fault import OUTPUT_KEPT, SeatFault, storable

SHORTEST: Final = 1e-5  # seconds: the upper end of the first bucket
PER_OCTAVE: Final = 8  # buckets: each is 9 % longer than the one before
EXPLAINED_MOST: Final = 32 * 1024  # bytes of a game


class GameLog:
    """A seat's log of one game.

    ``chunks`` are what it printed, each with the number of actions of all players before it: the end of it, without the
    first ``cut`` characters. ``times`` counts its actions by the bucket of the processor time that they took,
    ``slowest`` is the longest in seconds and ``slowest_at`` the number of actions of all players before that one.
    ``notes`` are what it said of its actions, the first ``EXPLAINED_MOST`` bytes, each with the actions before it.
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
        """All that is kept of what it printed."""
        return "".join(text for _played, text in self.chunks)

    def took(self, played: int, seconds: float) -> None:
        """Note the processor time of the action after ``played`` others."""
        self.times[bucket_of(seconds)] += 1
        if seconds > self.slowest:
            self.slowest, self.slowest_at = seconds, played

    def explains(self, played: int, explanation: MoveExplanation) -> None:
        """Note what the bot said of the action after ``played`` others."""
        self.explained += explanation.size
        if self.explained <= EXPLAINED_MOST:
            self.notes.append((played, explanation))

    def prints(self, played: int, output: str) -> None:
        """Note what the bot printed, for the action after ``played`` others."""
        if not output:
            return
        text = storable(output[-OUTPUT_KEPT:], OUTPUT_KEPT)
        self.cut += len(output) - len(text)
        self.kept += len(text)
        self.chunks.append((played, text))
        while (over := self.kept - OUTPUT_KEPT) > 0:
            first, oldest = self.chunks[0]
            dropped = min(over, len(oldest))
            self.chunks[:1] = [(first, oldest[dropped:])] if dropped < len(oldest) else []
            self.kept -= dropped
            self.cut += dropped


def bucket_of(seconds: float) -> int:
    """Return the bucket of a time: bucket n holds times up to ``bucket_end(n)`` seconds that no earlier one holds."""
    return 0 if seconds <= SHORTEST else ceil(PER_OCTAVE * log2(seconds / SHORTEST) - 1e-9)


def bucket_end(bucket: int) -> float:
    """Return the longest time in the bucket, in seconds."""
    return float(SHORTEST * 2 ** (bucket / PER_OCTAVE))


@dataclass(frozen=True, slots=True)
class GameResult:
    """A finished game; all but the record is by match seat. ``places`` are those after forfeits, times are seconds."""

    index: int
    record: Record
    points: tuple[int, ...]
    places: tuple[int, ...]
    reason: str
    tie_break: str
    faults: tuple[SeatFault, ...]  # by seat, one each at most
    cpu: tuple[float, ...]
    slowest: tuple[float, ...]
    printed: tuple[str, ...]
    logs: tuple[GameLog, ...] = ()  # of a game that was played here
    luck: float = 0.0  # of the first seat, as a share; set only where the series' rule subtracts it


@dataclass(frozen=True, slots=True)
class SeatTotal:
    """A seat's result over all games of a match; see ``matches.models.Seat``. Times are in seconds."""

    score: float
    points: int
    wins: int
    places: tuple[int, ...]
    faulty_games: int
    cpu: float
    slowest: float


def places_after_forfeits(places: Sequence[int], faulty: Collection[int]) -> tuple[int, ...]:
    """Return ``places`` with the ``faulty`` seats sharing the last one; the others keep their order. Seats that tie
    share.
    """
    last = len(places) - len(faulty) + 1
    sound = [place for seat, place in enumerate(places) if seat not in faulty]
    return tuple(
        last if seat in faulty else 1 + sum(other < place for other in sound) for seat, place in enumerate(places)
    )


def shares_beaten(places: Sequence[int]) -> tuple[Fraction, ...]:
    """Return by seat the share of its opponents that it beat, ties counting half: 0 to 1. Exact: thirds add up."""
    return _shares_beaten(tuple(places))


@lru_cache(maxsize=1 << 10)  # a game is counted three times at least, and few places are possible
def _shares_beaten(places: tuple[int, ...]) -> tuple[Fraction, ...]:
    return tuple(
        Fraction(
            sum(2 * (place < other) + (place == other) for seat, other in enumerate(places) if seat != me),
            2 * (len(places) - 1),
        )
        for me, place in enumerate(places)
    )


def seat_totals(games: Iterable[GameResult]) -> tuple[SeatTotal, ...]:
    """Return the totals of each match seat over ``games``, of which there must be one at least."""
    games = tuple(games)
    return tuple(_total(games, seat) for seat in range(len(games[0].places)))


def _total(games: Sequence[GameResult], seat: int) -> SeatTotal:
    faulty = [any(fault.seat == seat for fault in game.faults) for game in games]
    return SeatTotal(
        score=float(sum(shares_beaten(game.places)[seat] for game in games)),
        points=sum(game.points[seat] for game, at_fault in zip(games, faulty, strict=True) if not at_fault),
        wins=sum(game.places[seat] == 1 and game.places.count(1) == 1 for game in games),
        places=tuple(game.places[seat] for game in games),
        faulty_games=sum(faulty),
        cpu=sum(game.cpu[seat] for game in games),
        slowest=max(game.slowest[seat] for game in games),
    )


Moments = Sequence[Sequence[int]]  # of luck, by moment and then by table position, in 1e-9


@dataclass(frozen=True, slots=True)
class BlockLuck:
    """The mean over the rotations of a block, by seat of the match: shares of opponents beaten, faults and all, and
    the moments of luck in them."""

    shares: tuple[float, ...]
    moments: tuple[tuple[float, ...], ...]

    @property
    def luck(self) -> tuple[float, ...]:
        """Luck as it is: the first moment."""
        return tuple(own[0] for own in self.moments)


def blocks_of(games: Sequence[tuple[Sequence[int], Moments]]) -> list[BlockLuck]:
    """Return the blocks of a series by its games in order: of each the places by seat of the match, and the moments."""
    seats = len(games[0][0]) if games else 1
    numbered = groupby(enumerate(games), key=lambda game: block_of(game[0], seats))
    return [_block(list(group)) for _, group in numbered]


def adjusted_of(blocks: Iterable[tuple[float, Sequence[float]]]) -> Adjusted | None:
    """Return the adjusted mean of a seat by its share and moments of each block; None of too few."""
    known = list(blocks)
    columns = zip(*(own for _, own in known), strict=True)
    return adjusted([share for share, _ in known], *columns) if known else None


def _block(games: Sequence[tuple[int, tuple[Sequence[int], Moments]]]) -> BlockLuck:
    shares = [[float(share) for share in shares_beaten(places)] for _, (places, _) in games]
    by_moment = zip(*([by_seat(moment, index) for moment in moments] for index, (_, moments) in games), strict=True)
    means = [_means(moment) for moment in by_moment]
    return BlockLuck(
        tuple(sum(column) / len(games) for column in zip(*shares, strict=True)),
        tuple(zip(*means, strict=True)),
    )


def _means(moment: Sequence[Sequence[int]]) -> tuple[float, ...]:
    """Return by seat the mean over the games of a block, as shares."""
    return tuple(sum(column) / len(moment) / UNIT for column in zip(*moment, strict=True))


T = TypeVar("T")
_random = SystemRandom()
APART = 4  # blocks that are played among each other: as many games lie, on average, between two of one seed
SHORT = 0.05  # seconds: as long as the end of a game may take a bot
LONG = 20.0


def block_of(index: int, seats: int) -> int:
    """Return the block, and so the seed, of game ``index``."""
    return index // seats


def seats_by_position(index: int, seats: int) -> tuple[int, ...]:
    """Return the match seat at each table position of game ``index``: ``(position + rotation) % seats``.

    >>> [seats_by_position(index, seats=3) for index in range(4)]
    [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 1, 2)]
    """
    rotation = index % seats
    return tuple((position + rotation) % seats for position in range(seats))


def by_seat(values: Sequence[T], index: int) -> tuple[T, ...]:
    """Return ``values`` given by table position of game ``index``, in the order of the match's seats.

    >>> by_seat((20, 0, 10), index=1)
    (10, 20, 0)
    """
    seats = len(values)
    return tuple(values[(seat - index % seats) % seats] for seat in range(seats))


def game_order(first: int, blocks: int, seats: int) -> Iterator[int]:
    """Yield the indices of the games of so many blocks from block ``first`` on: the first rotation of each in an order
    by chance, then the second; two of one seed follow each other only where there is but one.
    """
    last = -1
    for rotation in range(seats):
        order = _random.sample(range(first, first + blocks), blocks)
        if order[0] == last and blocks > 1:
            order.append(order.pop(0))
        last = order[-1]
        yield from (block * seats + rotation for block in order)


def pause_after_game(took: float, *, same_seed: bool) -> float:
    """Return seconds to wait after a game that took so many.

    Where the next game has the same seed it may be as long as that game was. To move the end of a game by some time
    takes a game that lasts as long: so the next one cannot tell much more than whether it was moved.
    """
    return _random.uniform(0.0, min(LONG, max(SHORT, took if same_seed else 0.0)))
