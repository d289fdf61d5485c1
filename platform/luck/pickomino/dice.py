"""The states of a turn, and what each roll leads to, as tables that are made once.

A turn depends on no more than the faces aside, the dice left and the total: 1939 states. States with fewer dice left
come first, those with equally many dice and free faces together.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement, product
from math import factorial, prod
from typing import Final, NamedTuple, TypeAlias

from games.catalogue.grill.aside import ALL_FACES, DICE, VALUES

TurnState: TypeAlias = tuple[int, int, int]  # faces aside as a bit mask, dice left, total
OPENING: Final[TurnState] = (0, DICE, 0)
WORM: Final = 1 << 5


class Throw(NamedTuple):
    """A step of the solution: ``states`` with equally many dice and free faces.

    ``leads[s][r]`` are the states, one at most for each free face, that state s may go to when the dice show the r-th
    of what they may show; none where no face is free. ``ways[r]`` of ``among`` throws show that.
    """

    states: tuple[int, ...]
    leads: tuple[tuple[tuple[int, ...], ...], ...]
    ways: tuple[int, ...]
    among: int


def taken(used: int, left: int, total: int, face: int, count: int) -> TurnState:
    """The state after setting aside ``count`` dice of a face."""
    return used | 1 << face, left - count, total + count * VALUES[face]


def _reachable() -> Iterator[TurnState]:
    states = [OPENING]
    known = {OPENING}
    for state in states:  # grows as it is walked
        yield state
        used, left, _ = state
        for face, count in product(range(6), range(1, left + 1)):
            after = taken(*state, face, count)
            if not used >> face & 1 and after not in known:
                known.add(after)
                states.append(after)


STATES: Final = tuple(_reachable())
NUMBER: Final = {state: number for number, state in enumerate(STATES)}


@cache
def throws() -> tuple[Throw, ...]:
    """All steps, fewest dice first. Where no die or no face is left there is nothing to throw."""
    groups: dict[tuple[int, int], list[TurnState]] = {}
    for state in STATES:
        used, left, _ = state
        if left and used != ALL_FACES:
            groups.setdefault((left, used.bit_count()), []).append(state)
    return tuple(_throw(left, 6 - aside, groups[left, aside]) for left, aside in sorted(groups))


def _throw(left: int, free: int, states: list[TurnState]) -> Throw:
    kinds = combinations_with_replacement(range(free + 1), left)  # the last kind: a face that is aside already
    tallies = [tuple(map(dice.count, range(free + 1))) for dice in kinds]
    ways = [factorial(left) // prod(map(factorial, tally)) * (6 - free) ** tally[-1] for tally in tallies]
    shown = [(tally, many) for tally, many in zip(tallies, ways, strict=True) if many]
    return Throw(
        tuple(NUMBER[state] for state in states),
        tuple(tuple(_leads(state, tally) for tally, _ in shown) for state in states),
        tuple(many for _, many in shown),
        6**left,
    )


def _leads(state: TurnState, tally: tuple[int, ...]) -> tuple[int, ...]:
    faces = (face for face in range(6) if not state[0] >> face & 1)
    return tuple(NUMBER[taken(*state, face, count)] for face, count in zip(faces, tally, strict=False) if count)
