"""The input of ratings: blocks of games. All games of a block have the same seed and the same bots, in rotated seats.

The games of a block share their luck, so blocks are independent, but games are not. Errors are therefore computed from
blocks.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, permutations
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.floating[Any]]
Ints: TypeAlias = NDArray[np.int64]
Match: TypeAlias = tuple[Sequence[int], Sequence[Sequence[int]]]  # the entrants, and the places of each by game


@dataclass(frozen=True, slots=True)
class Block:
    """The games of one seed. ``places[g][i]`` is the place of ``entrants[i]`` in game g, where 1 is best.

    Entrants that tie share a place.
    """

    entrants: tuple[int, ...]
    places: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Tables:
    """Blocks at tables of k entrants, as arrays. ``entrants``, shape (blocks, k), has the entrants of each block.

    ``beaten[b, i, j]``, shape (blocks, k, k), is the number of games of block b in which entrant i finished before
    entrant j. Ties count half. The number is 0 if i equals j.
    """

    entrants: Ints
    beaten: Floats

    def games(self) -> Floats:
        """Return the number of games of each entrant in each block, shape (blocks, k)."""
        return np.asarray((self.beaten + self.beaten.swapaxes(1, 2)).max(axis=2))


@dataclass(frozen=True, slots=True)
class Games:
    """All games, in any order and at tables of any size.

    ``varying`` is the prior estimate of a ratio: the variance of results, divided by the variance that independent
    games would have. It is less than one for luck-adjusted games.
    """

    tables: tuple[Tables, ...] = ()
    varying: float = 1.0

    def __add__(self, other: Self) -> Self:
        return type(self)(self.tables + other.tables, max(self.varying, other.varying))

    def without(self, entrants: Collection[int]) -> Self:
        """Return the games without ``entrants``: only the results between the others remain."""
        tables = tuple(smaller for one in self.tables for smaller in _without(one, list(entrants)))
        return type(self)(tables, self.varying)

    @classmethod
    def from_arrays(cls, entrants: Ints, places: Ints) -> Self:
        """Read blocks from arrays: ``entrants`` of shape (blocks, k), ``places`` of shape (blocks, games, k).

        Raises:
            BlockError: a block in which an entrant meets itself.
        """
        _check(entrants)
        return cls((Tables(entrants, _beaten(places).sum(axis=1)),))

    @classmethod
    def from_blocks(cls, blocks: Iterable[Block]) -> Self:
        """Read ``blocks`` one by one. Raises BlockError as ``from_arrays`` does."""
        return cls(_gathered((block.entrants, tuple(zip(*block.places, strict=True))) for block in blocks))

    @classmethod
    def from_matches(cls, matches: Iterable[Match]) -> Self:
        """Read matches. Each has its entrants and, for each entrant, its places in games 0, 1, 2, ...

        The games of a match of k entrants are cut into blocks of k games. The last block may be shorter.

        Raises:
            BlockError: a match in which an entrant meets itself.
        """
        return cls(_gathered(matches, in_rotations=True))


def _without(tables: Tables, entrants: list[int]) -> Iterator[Tables]:
    """Yield the blocks without ``entrants``, as one ``Tables`` for each number of remaining entrants.

    Blocks with fewer than two remaining entrants are left out.
    """
    stay = ~np.isin(tables.entrants, entrants)
    left = stay.sum(axis=1)
    for size in range(2, stay.shape[1] + 1):
        rows = left == size
        if rows.any():
            places = np.nonzero(stay[rows])[1].reshape(-1, size)
            beaten = np.take_along_axis(tables.beaten[rows], places[:, :, None], axis=1)
            yield Tables(
                np.take_along_axis(tables.entrants[rows], places, axis=1),
                np.take_along_axis(beaten, places[:, None, :], axis=2),
            )


class BlockError(ValueError):
    """An entrant occurs twice in a block."""

    def __init__(self, entrants: Sequence[int]) -> None:
        self.entrants = tuple(entrants)
        super().__init__(f"an entrant cannot meet itself in a block, but it would in {self.entrants}")


def _gathered(matches: Iterable[Match], in_rotations: bool = False) -> tuple[Tables, ...]:
    by_size = sorted((match for match in matches if match[1] and len(match[1][0])), key=lambda one: len(one[0]))
    return tuple(
        _tables(list(same), size if in_rotations else None) for size, same in groupby(by_size, lambda one: len(one[0]))
    )


def _tables(matches: Sequence[Match], games_per_block: int | None) -> Tables:
    """Return the matches of one table size, cut into blocks. Without ``games_per_block``, a match is one block."""
    games = np.array([len(places[0]) for _, places in matches])
    per_block = games if games_per_block is None else np.full_like(games, games_per_block)
    blocks = -(-games // per_block)
    entrants = np.repeat(np.array([entrants for entrants, _ in matches], dtype=np.int64), blocks, axis=0)
    _check(entrants)
    places = np.empty((int(games.sum()), entrants.shape[1]), dtype=np.int64)
    for seat in range(entrants.shape[1]):
        places[:, seat] = np.fromiter(chain.from_iterable(each[seat] for _, each in matches), np.int64, len(places))
    number_in_match = np.arange(blocks.sum()) - np.repeat(np.cumsum(blocks) - blocks, blocks)
    starts = np.repeat(np.cumsum(games) - games, blocks) + number_in_match * np.repeat(per_block, blocks)
    beaten = np.zeros((len(starts), entrants.shape[1], entrants.shape[1]))
    for one, other in permutations(range(entrants.shape[1]), 2):  # pair by pair, to save memory
        beaten[:, one, other] = np.add.reduceat(_ahead(places[:, one], places[:, other]), starts)
    return Tables(entrants, beaten)


def _beaten(places: Ints) -> Floats:
    return np.asarray(_ahead(places[..., :, None], places[..., None, :]) * (1 - np.eye(places.shape[-1])))


def _ahead(mine: Ints, theirs: Ints) -> Floats:
    return np.asarray((mine < theirs) + 0.5 * (mine == theirs))


def _check(entrants: Ints) -> None:
    ordered = np.sort(entrants, axis=1)
    double = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
    if double.any():
        raise BlockError(entrants[int(double.argmax())].tolist())
