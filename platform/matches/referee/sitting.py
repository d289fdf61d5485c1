"""In which order, and after which pauses, games are played, so that no bot can leave its next game a note.

A bot chooses when its game ends, and the next game's bots read the clock: what one saw of a seed, another would know
before its first action. So the games of one seed are played apart from each other, and pauses of random length come
between games. What a game comes to depends on none of this.
"""

from collections.abc import Iterator
from secrets import SystemRandom

_random = SystemRandom()

APART = 4  # blocks that are played among each other: as many games lie, on average, between two of one seed
SHORT = 0.05  # seconds: as long as the end of a game may take a bot
LONG = 20.0


def sitting(first: int, blocks: int, seats: int) -> Iterator[int]:
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


def pause(took: float, *, same_seed: bool) -> float:
    """Return seconds to wait after a game that took so many.

    Where the next game has the same seed it may be as long as that game was. To move the end of a game by some time
    takes a game that lasts as long: so the next one cannot tell much more than whether it was moved.
    """
    return _random.uniform(0.0, min(LONG, max(SHORT, took if same_seed else 0.0)))
