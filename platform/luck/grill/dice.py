"""Tables of the states of a turn, and of the transitions by each roll. Each table is computed once.

A state consists of the faces aside, the number of dice left and the total of the dice aside. With eight dice, there are
1939 states. In Heckmeck, a state also says whether the golden die is left, and whether two ones are aside. A turn is
solved from the states with the fewest dice left. States with the same numbers of dice and of free faces are solved
together.
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
FAILED: Final = 2 * (MOST + 1)  # index of a failed turn in ``Pays``
# Values of stopping by total: first with a worm aside, then without. The last value is that of a failed turn.
Pays: TypeAlias = tuple[int, ...]
NONE: Final = -1  # in ``RollPart.moves``: no die shows the face


class TurnState(NamedTuple):
    """The state of a turn. ``used`` is a bit mask of the faces aside, and ``left`` the number of dice left.

    ``golden`` tells whether the golden die is one of the dice left.
    """

    used: int
    left: int
    total: int
    golden: bool
    double: bool  # whether two ones are aside; False if the table does not distinguish them


class RollPart(NamedTuple):
    """Rolls of the white dice. If the golden die is thrown with them, these are the rolls for one of its faces.

    ``moves[s][f][c]`` is the state after state s of the throw if its f-th free face is taken and c white dice show this
    face; ``NONE`` if no die shows it. ``tallies[r]`` has the number of white dice that show each free face in tally r.
    ``ways[r]`` is the number of rolls with this tally. ``fails`` tells whether no free face is shown in the last tally.
    """

    moves: tuple[tuple[tuple[int, ...], ...], ...]
    tallies: tuple[tuple[int, ...], ...]
    ways: tuple[int, ...]
    fails: bool


class Throw(NamedTuple):
    """A step of the solution: states with equally many dice and free faces, and all results of a throw.

    ``among`` is the number of equally likely throws.
    """

    states: tuple[int, ...]
    parts: tuple[RollPart, ...]
    among: int


class TurnTable:
    """All states of a turn with eight white dice, and with a golden die if ``golden`` has its faces.

    With ``doubles``, states with two ones aside differ from states with a single one.
    """

    def __init__(self, golden: tuple[str, ...], doubles: bool) -> None:
        self._golden = tuple(map(FACES.index, golden))
        self._doubles = doubles
        self.opening = TurnState(0, DICE + bool(golden), 0, bool(golden), False)
        self.states = self._reachable()
        self.number = {state: number for number, state in enumerate(self.states)}

    @cached_property
    def throws(self) -> tuple[Throw, ...]:
        """All steps, those with the fewest dice first. States without dice or without free faces are left out."""
        groups: dict[tuple[int, int, bool], list[TurnState]] = {}
        for state in self.states:
            if state.left and state.used != ALL_FACES:
                groups.setdefault((state.left, state.used.bit_count(), state.golden), []).append(state)
        return tuple(self._throw(groups[key]) for key in sorted(groups))

    def taken(self, state: TurnState, face: int, count: int, golden: bool) -> TurnState:
        """Return the state after ``count`` dice of a face are set aside.

        ``golden`` tells whether the golden die is one of them.
        """
        double = state.double or (self._doubles and face == ONE and count > 1)
        left, total = state.left - count, state.total + count * VALUES[face]
        return TurnState(state.used | 1 << face, left, total, state.golden and not golden, double)

    def _reachable(self) -> tuple[TurnState, ...]:
        states = [self.opening]
        known = {self.opening}
        for state in states:  # the list grows during the iteration
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
            # States in which the face of the golden die is free, and states in which it is not, are separate parts.
            parts.append(self._part(states, left - golden, face, weight))
        return Throw(tuple(self.number[state] for state in states), tuple(parts), 6**left)

    def _part(self, states: list[TurnState], white: int, shown: int | None, weight: int) -> RollPart:
        free = len(_free(states[0]))
        kinds = combinations_with_replacement(range(free + 1), white)  # the last number: any face that is aside
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
def dice_turn_table(golden: tuple[str, ...] = (), *, doubles: bool = False) -> TurnTable:
    """Return the table of turns with these faces of the ``golden`` die. Each table is computed once."""
    return TurnTable(golden, doubles)


def dice_stopping_pays(state: TurnState) -> int:
    """Return the index in ``Pays`` of the value of stopping at ``state``."""
    return state.total if state.used & WORM else MOST + 1 + state.total


def _free(state: TurnState) -> list[int]:
    return [face for face in range(6) if not state.used >> face & 1]
