"""What games are worth to a match: places after forfeits, shares of opponents beaten, totals by seat, and the luck of
blocks. The same on the site, at home, and where a proof is verified.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import groupby

from luck import UNIT
from luck.adjusting import Adjusted, adjusted
from matches.referee.game_result import GameResult
from matches.referee.rotation import block_of, by_seat


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
