"""What a game is worth to a match: places after forfeits, shares of opponents beaten, and the totals by seat."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from matches.referee.game_result import GameResult


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
