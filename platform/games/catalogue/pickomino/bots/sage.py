"""Wise Owl: plays every turn as well as it can be played, by exact dynamic programming over the turn.

A turn depends only on the faces aside, the dice left and the total: 1939 states. The value of a state is the larger of
what stopping pays and what the next roll is worth. A roll is worth the mean over all its results, each with the best
face taken. States with fewer dice left are solved first. One numpy step solves all states with equally many dice and
free faces. What stopping pays depends on the grill, the rivals' top tiles and the own top tile, so a turn is solved
once, at its first decision.

Without numpy, in a browser, a state is solved when it is needed. Its values are the same to the last digits.

Stopping pays the worms won. A stolen tile also pays what its owner loses, shared among the rivals. A failed turn costs
the own top tile.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from itertools import combinations_with_replacement, product
from math import factorial, prod
from typing import TYPE_CHECKING, Any

try:
    import numpy as np
except ImportError:  # Python in a browser
    np = None  # type: ignore[assignment]
if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Numbers = NDArray[np.intp]

View = dict[str, Any]
State = tuple[int, int, int]  # faces aside as a bit mask, dice left, total
Stakes = tuple[tuple[int, ...], tuple[int, ...], int, int, bool]
Pays = tuple[float, ...]
FACES = "12345W"
VALUES = (1, 2, 3, 4, 5, 5)
DICE, ALL, WORM, MOST = 8, 63, 32, 40
OPENING: State = (0, DICE, 0)


def act(view: View) -> str:
    """Return the action with the highest expected gain."""
    phase: str = view["phase"]
    actions: list[str] = view["actions"]
    if phase == "lower":
        return actions[-1]  # the highest tile is worth most
    if phase == "steal":
        steal, spare = stealing(view["sum"], *stakes(view))
        return "steal" if steal >= spare else "decline"
    pays = payoffs(*stakes(view))
    values, rolling = solve(pays)
    used = sum(1 << face for face, name in enumerate(FACES) if view["aside"][name])
    left, total = view["dice_left"], view["sum"]
    if phase == "decide":
        return "roll" if rolling[NUMBER[used, left, total]] > pays[paid(used, total)] else "stop"

    def value(action: str) -> float:
        face = FACES.index(action[-1])
        return float(values[NUMBER[taken(used, left, total, face, view["rolled"].count(action[-1]))]])

    return max(actions, key=value)


def stakes(view: View) -> Stakes:
    """Return the facts that a turn depends on: grill, rivals' top tiles, own top tile or 0, number of rivals, whether
    stealing may be declined.
    """
    me, stacks = view["you"], view["stacks"]
    tops = tuple(sorted(stack[-1] for seat, stack in enumerate(stacks) if stack and seat != me))
    own = stacks[me][-1] if stacks[me] else 0
    return tuple(view["grill"]), tops, own, view["players"] - 1, view["options"]["steal"] == "optional"


@lru_cache(maxsize=64)
def payoffs(grill: tuple[int, ...], tops: tuple[int, ...], own: int, rivals: int, optional: bool) -> Pays:
    """Return what stopping pays with a worm aside, for the totals 0 to 40, and last what a failed turn pays."""

    def pay(total: int) -> float:
        if total in grill:
            return worms(total)
        steal, lower = stealing(total, grill, tops, own, rivals, optional)
        if total in tops:
            return max(steal, lower) if optional else steal
        return lower

    return (*map(pay, range(MOST + 1)), -worms(own))


def stealing(
    total: int, grill: tuple[int, ...], tops: tuple[int, ...], own: int, rivals: int, optional: bool
) -> tuple[float, float]:
    """Return what stealing the tile ``total`` pays, and what taking a lower tile instead pays."""
    lower = max((tile for tile in grill if tile < total), default=0)
    return worms(total) * (1 + 1 / rivals), float(worms(lower) if lower else -worms(own))


def worms(tile: int) -> int:
    """Return the worms on a tile; 0 for no tile."""
    return (tile - 21) // 4 + 1 if tile else 0


@lru_cache(maxsize=8)
def solve(pays: Pays) -> tuple[Floats | Asked, Floats | Asked]:
    """Return the value of every state and the value of rolling on, by number."""
    if np is None:
        return one_by_one(pays)
    pay = np.array(pays, float)
    values = pay[PAID]
    values[FAIL] = pay[-1]
    rolling = values.copy()
    for states, after, odds in STEPS:
        rolling[states] = values[after].max(axis=2) @ odds
        values[states] = np.maximum(values[states], rolling[states])
    return values, rolling


class Asked(dict[int, float]):
    """A number for each state, which ``find`` computes when it is first needed."""

    def __init__(self, find: Callable[[int], float]) -> None:
        self.find = find

    def __missing__(self, number: int) -> float:
        found = self[number] = self.find(number)
        return found


def one_by_one(pays: Pays) -> tuple[Asked, Asked]:
    """Return what ``solve`` does, in plain Python."""

    def value(number: int) -> float:
        stop = pays[PAID[number]]
        return stop if number == FAIL else max(stop, rolling[number])

    def roll(number: int) -> float:
        used, left, total = STATES[number]
        if not left or used == ALL:
            return pays[PAID[number]]
        faces = [face for face in range(6) if not used >> face & 1]
        leads = [
            (values[FAIL], *(values[NUMBER[taken(used, left, total, face, count)]] for count in range(1, left + 1)))
            for face in faces
        ]
        worth = 0.0
        for tally, odds in tallied(left, len(faces)):
            worth += max([lead[count] for lead, count in zip(leads, tally, strict=True)]) * odds
        return worth

    values, rolling = Asked(value), Asked(roll)
    return values, rolling


def taken(used: int, left: int, total: int, face: int, count: int) -> State:
    """Return the state after setting aside ``count`` dice of a face."""
    return used | 1 << face, left - count, total + count * VALUES[face]


def paid(used: int, total: int) -> int:
    """Return the index in ``payoffs`` of what stopping pays: without a worm, that of a failed turn."""
    return total if used & WORM else -1


def reachable() -> list[State]:
    """Return every state of a turn, the opening first."""
    states = [OPENING]
    known = set(states)
    for used, left, total in states:  # the list grows during the loop
        for face, count in product(range(6), range(1, left + 1)):
            after = taken(used, left, total, face, count)
            if not used >> face & 1 and after not in known:
                known.add(after)
                states.append(after)
    return states


@cache
def tallied(left: int, free: int) -> list[tuple[list[int], float]]:
    """Return the possible results of ``left`` dice on ``free`` faces not set aside yet, with their probabilities."""
    # The last kind stands for all faces that are set aside
    kinds = combinations_with_replacement(range(free + 1), left)
    tallies = [[dice.count(kind) for kind in range(free + 1)] for dice in kinds]
    odds = [factorial(left) / prod(map(factorial, tally)) * (6 - free) ** tally[-1] / 6**left for tally in tallies]
    return [(tally[:-1], chance) for tally, chance in zip(tallies, odds, strict=True)]


def step(left: int, states: list[State]) -> tuple[Numbers, Numbers, Floats]:
    """Return one step of the solution: states with equally many dice and free faces, the states that each roll and face
    lead to, and the probabilities of the rolls.
    """
    free = [[face for face in range(6) if not used >> face & 1] for used, _, _ in states]
    counts, odds = map(np.array, zip(*tallied(left, len(free[0])), strict=True))
    after = np.empty((len(states), *counts.shape), np.intp)
    for row, (state, faces) in enumerate(zip(states, free, strict=True)):
        for column, face in enumerate(faces):
            leads = [FAIL, *(NUMBER[taken(*state, face, count)] for count in range(1, left + 1))]
            after[row, :, column] = np.array(leads)[counts[:, column]]
    return np.array([NUMBER[state] for state in states]), after, odds


def steps() -> list[tuple[Numbers, Numbers, Floats]]:
    """Return all steps, fewest dice first. States without dice or free faces have no roll."""
    groups: dict[tuple[int, int], list[State]] = {}
    for used, left, total in STATES:
        if left and used != ALL:
            groups.setdefault((left, used.bit_count()), []).append((used, left, total))
    return [step(left, groups[left, aside]) for left, aside in sorted(groups)]


STATES = reachable()
NUMBER = {state: number for number, state in enumerate(STATES)}
FAIL = len(STATES)  # after all states: a roll that shows no new face
PAID = [*(paid(used, total) for used, _, total in STATES), -1]
STEPS = steps() if np else []
