"""Who sits where, and in which order games are played.

Every seed is played once in each rotation of the match's seats, so that luck and order cancel out. Game ``index`` of a
match of k seats belongs to block ``index // k`` and rotation ``index % k``.

A bot chooses when its game ends, and the next game's bots read the clock: what one saw of a seed, another would know
before its first action. So the games of one seed are played apart from each other, and pauses of random length come
between games. The results of games depend on none of this."""

from collections.abc import Iterator, Sequence
from secrets import SystemRandom
from typing import TypeVar

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
