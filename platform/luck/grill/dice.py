"""The states of a turn, and what each roll leads to, as tables that are made once.

A turn depends on no more than the faces aside, the dice left and the total: 1939 states with eight dice. In the
anniversary edition also on whether the golden die is still to be set aside and whether two ones are aside. States with
fewer dice left come first, those with equally many dice and free faces together.
"""

from functools import cache, cached_property
from itertools import combinations_with_replacement, product
from math import factorial, prod
from typing import Final, NamedTuple, TypeAlias

from games.catalogue.grill.aside import ALL_FACES, DICE, VALUES
from games.chance import FACES

WORM: Final = 1 << 5
ONE: Final = 0
MOST: Final = 5 * (DICE + 1)
FAILED: Final = 2 * (MOST + 1)  # where ``Pays`` has a failed turn
Pays: TypeAlias = tuple[int, ...]  # what stopping pays: by total with a worm aside, then without one; a failed turn
NONE: Final = -1  # in moves: of a face that is not shown


class TurnState(NamedTuple):
    """``used``: the faces aside as a bit mask; ``left``: the dice that are not. ``golden``: that die is one of them."""

    used: int
    left: int
    total: int
    golden: bool
    double: bool  # two ones are aside, where that matters


class RollPart(NamedTuple):
    """Rolls of the white dice, beside one face of the golden die if it is thrown.

    ``moves[s][f][c]`` is where state s goes when the f-th of its free faces is taken, that c white dice show; NONE if
    none does. ``tallies[r]`` are these c for each free face, which ``ways[r]`` throws show. ``fails``: the last tally
    shows no free face.
    """

    moves: tuple[tuple[tuple[int, ...], ...], ...]
    tallies: tuple[tuple[int, ...], ...]
    ways: tuple[int, ...]
    fails: bool


class Throw(NamedTuple):
    """A step of the solution: states with equally many dice and free faces, and all that ``among`` throws show."""

    states: tuple[int, ...]
    parts: tuple[RollPart, ...]
    among: int


class TurnTable:
    """All states of a turn with eight white dice and, if it has faces, the golden die; with ``doubles`` two ones are
    told from one."""

    def __init__(self, golden: tuple[str, ...], doubles: bool) -> None:
        self._golden = tuple(map(FACES.index, golden))
        self._doubles = doubles
        self.opening = TurnState(0, DICE + bool(golden), 0, bool(golden), False)
        self.states = self._reachable()
        self.number = {state: number for number, state in enumerate(self.states)}

    @cached_property
    def throws(self) -> tuple[Throw, ...]:
        """All steps, fewest dice first. Where no die or no face is left there is nothing to throw."""
        groups: dict[tuple[int, int, bool], list[TurnState]] = {}
        for state in self.states:
            if state.left and state.used != ALL_FACES:
                groups.setdefault((state.left, state.used.bit_count(), state.golden), []).append(state)
        return tuple(self._throw(groups[key]) for key in sorted(groups))

    def taken(self, state: TurnState, face: int, count: int, golden: bool) -> TurnState:
        """Return the state after setting aside ``count`` dice of a face, the golden one among them or not."""
        double = state.double or (self._doubles and face == ONE and count > 1)
        left, total = state.left - count, state.total + count * VALUES[face]
        return TurnState(state.used | 1 << face, left, total, state.golden and not golden, double)

    def _reachable(self) -> tuple[TurnState, ...]:
        states = [self.opening]
        known = {self.opening}
        for state in states:  # grows as it is walked
            for face, count in product(_free(state), range(1, state.left + 1)):
                ways = [False] * (count <= state.left - state.golden)
                ways += [True] * (state.golden and face in self._golden)
                for after in (self.taken(state, face, count, golden) for golden in ways):
                    if after not in known:
                        known.add(after)
                        states.append(after)
        return tuple(states)

    def _throw(self, states: list[TurnState]) -> Throw:
        left, golden = states[0].left, states[0].golden
        shown: list[int | None] = [*sorted(set(self._golden))] if golden else [None]
        parts = []
        for face in shown:
            weight = self._golden.count(face) if face is not None else 1
            # Of the golden die's face some states may have it free and others not: each kind is a part's own.
            parts.append(self._part(states, left - golden, face, weight))
        return Throw(tuple(self.number[state] for state in states), tuple(parts), 6**left)

    def _part(self, states: list[TurnState], white: int, shown: int | None, weight: int) -> RollPart:
        free = len(_free(states[0]))
        kinds = combinations_with_replacement(range(free + 1), white)  # the last kind: a face that is aside already
        tallies = [tuple(map(dice.count, range(free + 1))) for dice in kinds]
        ways = [factorial(white) // prod(map(factorial, tally)) * (6 - free) ** tally[-1] for tally in tallies]
        seen = [(tally[:-1], many * weight) for tally, many in zip(tallies, ways, strict=True) if many]
        return RollPart(
            tuple(tuple(self._moves(state, face, white, shown) for face in _free(state)) for state in states),
            tuple(tally for tally, _ in seen),
            tuple(many for _, many in seen),
            not any(seen[-1][0]),
        )

    def _moves(self, state: TurnState, face: int, white: int, shown: int | None) -> tuple[int, ...]:
        golden = face == shown
        counts = range(golden, white + golden + 1)
        return tuple(self.number[self.taken(state, face, count, golden)] if count else NONE for count in counts)


@cache
def turn_table(golden: tuple[str, ...] = (), *, doubles: bool = False) -> TurnTable:
    """Return the one table of such turns."""
    return TurnTable(golden, doubles)


def stopping_pays(state: TurnState) -> int:
    """Return where ``Pays`` says what stopping pays."""
    return state.total if state.used & WORM else MOST + 1 + state.total


def _free(state: TurnState) -> list[int]:
    return [face for face in range(6) if not state.used >> face & 1]
