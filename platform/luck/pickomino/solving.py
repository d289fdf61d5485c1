"""A turn solved exactly, in whole numbers: with numpy where it is installed, else without; the numbers are the same.

A roll that shows a free face must be answered by one: failing is no choice, even where it would pay better. Otherwise
the mean over the rolls would not be the value before them.
"""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from luck.pickomino.dice import STATES, WORM, throws
from luck.shares import rounded

try:
    import numpy
except ImportError:  # at home, where Python is all there is
    numpy = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from numpy.typing import NDArray

Pays: TypeAlias = tuple[
    int, ...
]  # what stopping pays with a worm aside, by total 0 to 40; last what a failed turn pays
Solved: TypeAlias = tuple[Sequence[int], Sequence[int]]  # by state: its value, and what rolling on is worth in it
FAILED: Final = -1


def solve_plainly(pays: Pays) -> Solved:
    """Solve a turn with Python alone; see ``solve``."""
    values = _stopping(pays)
    rolling = list(values)
    failed = pays[FAILED]
    for states, leads, ways, among in throws():
        for number, row in zip(states, leads, strict=True):
            mean = sum(
                (max([values[state] for state in after]) if after else failed) * many
                for after, many in zip(row, ways, strict=True)
            )
            rolling[number] = rounded(mean, among)
            values[number] = max(values[number], rolling[number])
    return values, rolling


def solve_with_numpy(pays: Pays) -> Solved:
    """Solve a turn with numpy's integers; see ``solve``."""
    values = numpy.array([*_stopping(pays), -1], numpy.int64)  # the last: of a face that was not thrown
    rolling = values.copy()
    for states, leads, ways, among, fails in _arrays():
        best = values[leads].max(axis=2)
        if fails:
            best[:, -1] = pays[FAILED]
        rolling[states] = (2 * (best @ ways) + among) // (2 * among)
        values[states] = numpy.maximum(values[states], rolling[states])
    return values[:-1].tolist(), rolling[:-1].tolist()


def _stopping(pays: Pays) -> list[int]:
    return [pays[total] if used & WORM else pays[FAILED] for used, _, total in STATES]


@cache
def _arrays() -> "list[tuple[NDArray[Any], NDArray[Any], NDArray[Any], int, bool]]":
    arrays = []
    for states, leads, ways, among in throws():
        widest = max(len(after) for row in leads for after in row)
        padded = [[[*after, *[len(STATES)] * (widest - len(after))] for after in row] for row in leads]
        fails = not leads[0][-1]  # the last of all throws shows faces that are aside already, and nothing else
        arrays.append((numpy.array(states), numpy.array(padded), numpy.array(ways, numpy.int64), among, fails))
    return arrays


_solve: Callable[[Pays], Solved] = solve_with_numpy if numpy else solve_plainly


@lru_cache(maxsize=64)
def solve(pays: Pays) -> Solved:
    """Return the value of every state of a turn and what rolling on is worth in it, in the order of ``STATES``.

    The mean over the rolls is rounded once for each state.
    """
    return _solve(pays)
