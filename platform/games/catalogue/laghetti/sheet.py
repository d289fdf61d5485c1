"""What is written down: bids, tricks and points of the finished rounds (sheet 003, "Alla fine di ogni tornata")."""

from functools import lru_cache
from typing import NamedTuple

from games.state import Outcome


class TrickTaken(NamedTuple):
    """``cards`` in the order they were played, from the leader's on."""

    leader: int
    feature: str
    cards: tuple[int, ...]
    winner: int  # a seat


class SheetRound(NamedTuple):
    """A finished round; all but the dealer by seat."""

    dealer: int
    bids: tuple[int, ...]
    won: tuple[int, ...]  # tricks

    @property
    def points(self) -> tuple[int, ...]:
        return _points(self)


@lru_cache(maxsize=1 << 10)  # every view tells those of all finished rounds
def _points(done: SheetRound) -> tuple[int, ...]:
    return tuple(map(points, done.bids, done.won))


def points(bid: int, won: int) -> int:
    """Return the points of a round: a bid that is met gives itself and one more; any other costs the difference. 0 is a
    bid too.
    """
    return bid + 1 if won == bid else -abs(won - bid)


def standing(scores: tuple[int, ...]) -> Outcome:
    """Return places by points; who has the same shares the place: the sheet breaks no ties."""
    places = tuple(1 + sum(other > own for other in scores) for own in scores)
    return Outcome(scores, places, "rounds_played", "")
