"""What the blocks of a series came to, and what of it was luck: on the site, at home, and where a proof is verified."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from luck import UNIT
from luck.adjusting import Adjusted, adjusted
from matches.referee.rotation import block_of, by_seat
from matches.referee.scoring import shares_beaten

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
