"""Silver Fox: plays every turn as well as it can be played, by exact dynamic programming over the turn.

A turn depends on the faces aside, the dice left, the total, whether the golden die is still to be set aside, and
whether the weasel is ready. The value of a state is what stopping pays or what the next roll is worth, whichever is
more. The next roll is worth the mean over all rolls of the value of the best face to take. If the weasel is ready, it
may throw the same dice again, so no roll is worth less than a new throw. Two ones pay a bratworm at once. What stopping
pays depends on the tiles and specialists of the table.

A turn is solved once, at its first decision. States with fewer dice left are solved first. One numpy step solves all
states that agree in the number of dice left, the number of free faces, and whether the golden die is left. Without
numpy, in a browser, a state is solved when its value is first needed.

Only what lies beyond the turn is judged by rule of thumb: what a specialist is worth to its owner (PRICES).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import factorial, inf, prod
from typing import TYPE_CHECKING, Any, NamedTuple

try:
    import numpy as np
except ImportError:  # Python in a browser
    np = None  # type: ignore[assignment]
if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Numbers = NDArray[np.intp]
    # The state's number after each roll and face, 1 where two ones are taken, the probability of each roll.
    Part = tuple[Numbers, Floats, Floats]

FACES = "12345W"
VALUES = (1, 2, 3, 4, 5, 5)
ALL, WORM, MOST = 63, 32, 50
LOW = (11, 13)
View = dict[str, Any]
State = tuple[int, int, int, bool]  # faces aside as a bit mask, dice left, total, golden die left
Pays = tuple[float, ...]
PRICES = {"hen": 1.3, "golden_die": 1.25, "canned_worm": 1.2, "weasel": 1.0, "apple": 0.8}


class Stakes(NamedTuple):
    """The facts of the table that a turn depends on."""

    grill: tuple[tuple[int, str], ...]  # tiles that may be taken, each with the specialist on it
    tops: tuple[tuple[int, str], ...]  # rivals' top tiles that may be stolen, each with its owner's specialist
    own: int  # the own top tile, 0 if none
    specialist: str  # the own specialist, "" if none
    bratworm: float  # what a bratworm is worth: more from a rival, 0 if there is none
    rivals: int
    steal: str  # whether stealing may be declined, and what declining means


def act(view: View) -> str:
    """Return the action with the highest expected gain."""
    phase: str = view["phase"]
    actions: list[str] = view["actions"]
    if phase == "keep":
        return max(actions, key=lambda action: PRICES[action.split()[1]])
    if phase in ("double", "raven"):
        return max(actions, key=lambda action: int(view["worms"][int(action.split()[1])]))
    table = stakes(view)
    if phase == "canned":
        exact = payoff(view["sum"] + 5, table)
        return "use canned_worm" if exact >= failing(table) else "leave canned_worm"
    if phase == "steal":
        total = view["sum"] + (0 if view["aside"]["W"] else 5)
        return "steal" if stealing(total, table) >= declining(total, table) else "decline"
    if phase == "golden":
        nine, eight = (opening(table, golden) for golden in (die(view), None))
        return "use golden_die" if nine >= eight else "leave golden_die"
    return inside(view, table)


def inside(view: View, table: Stakes) -> str:
    """Return which face to take, whether to throw again, to roll on or to stop."""
    used = sum(1 << face for face, name in enumerate(FACES) if view["aside"][name])
    golden = view["golden_die"] == "left"
    here = (used, view["dice_left"], view["sum"], golden)
    turn = turns(die(view) if view["golden_die"] else None)
    pays, double = payoffs(table)
    plain, again = solve(turn, pays, double, False), turn.numbers[here]
    values, rolling = solve(turn, pays, double, True) if view["weasel_ready"] else plain
    if view["phase"] == "decide":
        return "roll" if rolling[again] > pays[paid(used, view["sum"])] else "stop"

    def value(action: str) -> float:
        if not action.startswith("take "):
            return float(plain[1][again]) if action == "use weasel" else pays[-1]
        face, count = FACES.index(action[-1]), view["rolled"].count(action[-1])
        still = golden and view["rolled"][-1] != action[-1]
        bonus = double if face == 0 and count > 1 else 0
        return float(values[turn.numbers[taken(here, face, count, still)]]) + bonus

    actions: list[str] = view["actions"]
    return max(actions, key=value)


def die(view: View) -> tuple[str, ...]:
    return tuple(view["options"]["golden_die_faces"])


def opening(table: Stakes, golden: tuple[str, ...] | None) -> float:
    """Return what a turn is worth before its first roll. The owner of the golden die has no weasel."""
    pays, double = payoffs(table)
    turn = turns(golden)
    return float(solve(turn, pays, double, False)[1][turn.numbers[turn.first]])


def stakes(view: View) -> Stakes:
    me, stacks = view["you"], view["stacks"]
    where = {place: name for name, place in view["specialists"].items()}
    own = where.get(f"seat {me}", "")
    stack = stacks[me]
    lows = [tile for tile in LOW if tile in stack] if view["options"]["low_tiles_one_per_player"] else []
    grill = tuple((tile, where.get(f"tile {tile}", "")) for tile in view["grill"] if not (lows and tile in LOW))
    tops = tuple(
        (stack[-1], where.get(f"seat {seat}", ""))
        for seat, stack in enumerate(stacks)
        if stack and seat != me and stack[-1] not in LOW
    )
    givers = any(
        count and seat != me and where.get(f"seat {seat}") != "hen" for seat, count in enumerate(view["bratworms"])
    )
    bratworm = 1.0 if view["supply"] else (1 + 1 / (view["players"] - 1)) * givers
    steal = view["options"]["steal"]
    return Stakes(grill, tops, stack[-1] if stack else 0, own, bratworm, view["players"] - 1, steal)


@lru_cache(maxsize=256)
def payoffs(table: Stakes) -> tuple[Pays, float]:
    """Return what stopping pays, and what two ones pay. The first is a tuple: the totals from 0 to ``MOST`` with a worm
    aside, the same totals without one, and a failed turn.
    """
    fail, canned = failing(table), table.specialist == "canned_worm"
    with_worm = [payoff(total, table) for total in range(MOST + 1)]
    without = [max(fail, payoff(total + 5, table)) if canned else fail for total in range(MOST + 1)]
    return (*with_worm, *without, fail), table.bratworm


def payoff(total: int, table: Stakes) -> float:
    """Return what a total with a worm pays."""
    for tile, specialist in table.grill:
        if tile == total:
            return gained(tile, specialist, table)
    if not any(tile == total for tile, _ in table.tops):
        return lower(total, table)
    steal = stealing(total, table)
    return steal if table.steal == "mandatory" else max(steal, declining(total, table))


def declining(total: int, table: Stakes) -> float:
    """Return what remains for a player who declines a theft."""
    return failing(table) if table.steal == "optional_or_fail" else lower(total, table)


def lower(total: int, table: Stakes) -> float:
    """Return what the next lower tile pays (never 11 or 13), or a failed turn."""
    fitting = [one for one in table.grill if one[0] < total and one[0] not in LOW]
    return gained(*max(fitting), table) if fitting else failing(table)


def stealing(total: int, table: Stakes) -> float:
    """Return what stealing pays. A stolen tile also costs its owner. A hen guards the tile and is taken instead."""
    specialist = dict(table.tops)[total]
    share = 1 + 1 / table.rivals
    if specialist == "hen":
        return better("hen", table) + PRICES["hen"] / table.rivals
    return worms(total) * share + better(specialist, table) + PRICES.get(specialist, 0) / table.rivals


def gained(tile: int, specialist: str, table: Stakes) -> float:
    """Return what a tile from the grill pays, including the raven's bratworm or a specialist."""
    return worms(tile) + (table.bratworm if specialist == "raven" else better(specialist, table))


def better(specialist: str, table: Stakes) -> float:
    """Return how much more a specialist is worth than the own one, which it replaces; 0 if it is worth less."""
    return max(0.0, PRICES.get(specialist, 0) - PRICES.get(table.specialist, 0))


def failing(table: Stakes) -> float:
    """Return what a failed turn pays. The top tile and the specialist go back. A hen goes back instead of the top tile,
    or stays if there is no tile.
    """
    if table.specialist == "hen":
        return -PRICES["hen"] if table.own else 0.0
    return -float(worms(table.own)) - PRICES.get(table.specialist, 0)


def worms(tile: int) -> int:
    """Return the worms on a tile; 0 for no tile."""
    return (1 if tile < 21 else (tile - 21) // 4 + 1) if tile else 0


def taken(state: State, face: int, count: int, golden: bool) -> State:
    """Return the state after setting aside ``count`` dice of a face; ``golden``: that die is still left."""
    used, left, total, _ = state
    return used | 1 << face, left - count, total + count * VALUES[face], golden


def paid(used: int, total: int) -> int:
    """Return the index in ``payoffs`` of what stopping pays."""
    return total if used & WORM else MOST + 1 + total


class Turn:
    """All states of a turn with eight dice, or nine if ``golden`` gives the faces of the golden die."""

    def __init__(self, golden: tuple[str, ...] | None) -> None:
        self.first: State = (0, 9 if golden else 8, 0, golden is not None)
        self.golden = golden or ()
        self.states = states = self._reachable()
        self.numbers = {state: number for number, state in enumerate(states)}
        self.fail = len(states)  # after all states: a roll that shows no new face
        self.paid = [*(paid(state[0], state[2]) for state in states), -1]
        groups: dict[tuple[int, bool, int], list[State]] = {}
        for state in states:
            if state[1] and state[0] != ALL:
                groups.setdefault((state[1], state[3], state[0].bit_count()), []).append(state)
        self.steps = [self._step(groups[key]) for key in sorted(groups)] if np else []

    def _reachable(self) -> list[State]:
        states, known = [self.first], {self.first}
        for state in states:  # the list grows during the loop
            for face, count in product(range(6), range(1, state[1] + 1)):
                for golden in {False, state[3]} if not state[3] or count < state[1] else {False}:
                    after = taken(state, face, count, golden)
                    if not state[0] >> face & 1 and after not in known:
                        known.add(after)
                        states.append(after)
        return states

    def _step(self, states: list[State]) -> tuple[Numbers, list[Part]]:
        """Return the numbers of the states, and a ``Part`` for each face of the golden die, or a single
        one without it.
        """
        _, left, _, golden = states[0]
        shown = sorted(set(self.golden)) if golden else [""]
        parts = [self._part(states, left - golden, face) for face in shown]
        weights = [self.golden.count(face) / 6 if golden else 1.0 for face in shown]
        return (
            np.array([self.numbers[state] for state in states]),
            [(after, ones, odds * weight) for (after, ones, odds), weight in zip(parts, weights, strict=True)],
        )

    def _part(self, states: list[State], white: int, shown: str) -> Part:
        free = [[face for face in range(6) if not state[0] >> face & 1] for state in states]
        counts, odds = map(np.array, zip(*rolls(white, len(free[0])), strict=True))
        after = np.empty((len(states), *counts.shape), np.intp)
        ones = np.zeros(after.shape)
        for row, (state, faces) in enumerate(zip(states, free, strict=True)):
            for column, face in enumerate(faces):
                golden = FACES[face] == shown
                still = state[3] and not golden
                leads = [self.numbers.get(taken(state, face, count, still), self.fail) for count in range(white + 2)]
                leads[0] = self.fail
                number = counts[:, column] + golden
                after[row, :, column] = np.array(leads)[number]
                if face == 0:
                    ones[row, :, column] = number > 1
        return after, ones, odds


@lru_cache(maxsize=8)
def solve(turn: Turn, pays: Pays, double: float, weasel: bool) -> tuple[Floats | Asked, Floats | Asked]:
    """Return the value of every state and the value of rolling on, by number. ``weasel`` tells that the weasel is
    ready.
    """
    if np is None:
        return one_by_one(turn, pays, double, solve(turn, pays, double, False)[1] if weasel else None)
    values = np.array(pays, float)[turn.paid]
    rolling = values.copy()
    again: Any = solve(turn, pays, double, False)[1] if weasel else np.full_like(values, -np.inf)
    for states, parts in turn.steps:
        rolled = np.zeros(len(states))
        for after, ones, odds in parts:
            best = (values[after] + double * ones).max(axis=2)
            rolled += np.maximum(best, again[states][:, None]) @ odds
        rolling[states] = rolled
        values[states] = np.maximum(values[states], rolled)
    return values, rolling


class Asked(dict[int, float]):
    """A number for each state, which ``find`` computes when it is first needed."""

    def __init__(self, find: Callable[[int], float]) -> None:
        self.find = find

    def __missing__(self, number: int) -> float:
        found = self[number] = self.find(number)
        return found


def one_by_one(turn: Turn, pays: Pays, double: float, again: Any) -> tuple[Asked, Asked]:
    """Return what ``solve`` does, in plain Python."""

    def value(number: int) -> float:
        stop = pays[turn.paid[number]]
        return stop if number == turn.fail else max(stop, rolling[number])

    def roll(number: int) -> float:
        used, left, _, golden = state = turn.states[number]
        if not left or used == ALL:
            return pays[turn.paid[number]]
        free = [face for face in range(6) if not used >> face & 1]
        floor, worth = -inf if again is None else again[number], 0.0
        for shown in sorted(set(turn.golden)) if golden else [""]:
            weight = turn.golden.count(shown) / 6 if golden else 1.0
            leads = [lead(state, face, FACES[face] == shown) for face in free]
            for tally, odds in rolls(left - golden, len(free)):
                best = max([row[count] for row, count in zip(leads, tally, strict=True)])
                worth += max(best, floor) * odds * weight
        return worth

    def lead(state: State, face: int, shown: bool) -> list[float]:
        still, found = state[3] and not shown, [values[turn.fail]]
        for count in range(1, state[1] + 1):
            after = turn.numbers.get(taken(state, face, count, still), turn.fail)
            found.append(values[after] + (double if face == 0 and count > 1 else 0))
        return found[shown:]

    values, rolling = Asked(value), Asked(roll)
    return values, rolling


@lru_cache(maxsize=4)
def turns(golden: tuple[str, ...] | None) -> Turn:
    return Turn(golden)


@lru_cache(maxsize=64)
def rolls(dice: int, free: int) -> list[tuple[list[int], float]]:
    """Return the possible results of ``dice`` white dice on ``free`` faces not set aside yet, with their
    probabilities.
    """
    # The last kind stands for all faces that are set aside
    kinds = combinations_with_replacement(range(free + 1), dice)
    tallies = [[rolled.count(kind) for kind in range(free + 1)] for rolled in kinds]
    odds = [factorial(dice) / prod(map(factorial, tally)) * (6 - free) ** tally[-1] / 6**dice for tally in tallies]
    return [(tally[:-1], chance) for tally, chance in zip(tallies, odds, strict=True)]


turns(None)  # computed once, at the start
