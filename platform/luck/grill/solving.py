"""Solve a turn exactly, in integers. numpy is used if it is installed; the results are the same without it.

If a roll shows free faces, the seat must take one of them. It cannot choose to fail, even if failing is worth more. The
solution follows this rule: otherwise, the mean of the values after the rolls would not equal the value before them.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import getitem
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from games.catalogue.grill.aside import Aside, aside_of
from luck.grill.dice import FAILED, NONE, Pays, RollPart, TurnTable, dice_stopping_pays
from luck.shares import rounded

MILLION: Final = 10**6


def turn_solving_facts(own: Aside, tile: int | None, golden: tuple[int, ...] = ()) -> dict[str, int]:
    """Return facts about the dice aside: their total, the dice left, the ``tile`` that stopping wins, and the risk.

    ``tile`` is 0 if stopping wins no tile. If it is None, the fact is left out. The risk, "bust", is the probability,
    in millionths, that the next roll shows no new face. If the golden die is left, ``golden`` has the numbers of its
    faces.
    """
    facts = {"total": own.total, "left": own.left} | ({} if tile is None else {"tile": tile})
    if own.full:
        return facts
    ways, among = own.rolls ** (own.left - bool(golden)), 6**own.left
    if golden:
        ways *= sum(own.used >> face & 1 for face in golden)
    return facts | {"bust": rounded(MILLION * ways, among)}


def turn_dice_worth(total: int) -> Aside:
    """Return dice aside with the sum ``total``: worms, and one die for the remainder."""
    fives, rest = divmod(total, 5)
    return aside_of((*(int(face == rest) for face in range(1, 6)), fives))


try:
    import numpy
except ImportError:  # numpy may be missing on authors' machines
    numpy = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from numpy.typing import NDArray

Solved: TypeAlias = tuple[Sequence[int], Sequence[int]]  # two lists by state: its value, and the value of rolling on
NEVER: Final = -1  # less than any share


def turn_solve_plainly(table: TurnTable, pays: Sequence[Pays], again: Sequence[int] | None) -> Solved:
    """Solve a turn without numpy; see ``turn_solving_values``."""
    values = [pays[state.double][dice_stopping_pays(state)] for state in table.states]
    values.append(NEVER)  # at the index ``NONE``: faces that are not shown
    rolling = values.copy()
    for states, parts, among in table.throws:
        for at, number in enumerate(states):
            failed = pays[table.states[number].double][FAILED]
            floor = NEVER if again is None else again[number]
            mean = sum(_sum(part, at, values, failed, floor) for part in parts)
            rolling[number] = rounded(mean, among)
            values[number] = max(values[number], rolling[number])
    return values[:-1], rolling[:-1]


def _sum(part: RollPart, at: int, values: Sequence[int], failed: int, floor: int) -> int:
    led = [[values[number] for number in faces] for faces in part.moves[at]]
    best = [max(max(map(getitem, led, tally)), floor) for tally in part.tallies]
    if part.fails and _none(part, at):
        best[-1] = max(failed, floor)
    return sum(map(int.__mul__, best, part.ways))


def _none(part: RollPart, at: int) -> bool:
    return all(faces[0] == NONE for faces in part.moves[at])


def turn_solve_with_numpy(table: TurnTable, pays: Sequence[Pays], again: Sequence[int] | None) -> Solved:
    """Solve a turn with numpy; see ``turn_solving_values``."""
    stops, fails, throws = _arrays(table)
    values = numpy.array([*(one for own in pays for one in own), NEVER], numpy.int64)[stops]
    rolling = values.copy()
    failed = numpy.array([own[FAILED] for own in pays], numpy.int64)[fails]
    floor = None if again is None else numpy.array(again, numpy.int64)
    for states, parts, among in throws:
        mean = numpy.zeros(len(states), numpy.int64)
        for leads, ways, failing in parts:
            best = values[leads].max(axis=2)
            best[failing, -1] = failed[states[failing]]
            if floor is not None:
                numpy.maximum(best, floor[states][:, None], out=best)
            mean += best @ ways
        rolling[states] = (2 * mean + among) // (2 * among)
        values[states] = numpy.maximum(values[states], rolling[states])
    return values[:-1].tolist(), rolling[:-1].tolist()


@lru_cache(maxsize=16)
def _arrays(table: TurnTable) -> "tuple[NDArray[Any], NDArray[Any], list[Any]]":
    """Return the throws and, for each state, the indices of the value of stopping and of the value of failing."""
    width = FAILED + 1
    stops = numpy.array([*(state.double * width + dice_stopping_pays(state) for state in table.states), NEVER])
    fails = numpy.array([int(state.double) for state in table.states])
    throws = []
    for states, parts, among in table.throws:
        numbers = numpy.array(states)
        throws.append((numbers, [_part(part) for part in parts], among))
    return stops, fails, throws


def _part(part: RollPart) -> "tuple[NDArray[Any], NDArray[Any], NDArray[Any]]":
    moves, tallies = numpy.array(part.moves), numpy.array(part.tallies).reshape(len(part.ways), -1)
    leads = moves[:, numpy.arange(moves.shape[1]), tallies]
    failing = [at for at in range(len(part.moves)) if part.fails and _none(part, at)]
    return leads, numpy.array(part.ways, numpy.int64), numpy.array(failing, numpy.intp)


_solve: Callable[[TurnTable, Sequence[Pays], Sequence[int] | None], Solved] = (
    turn_solve_with_numpy if numpy else turn_solve_plainly
)


@lru_cache(maxsize=64)
def turn_solving_values(table: TurnTable, pays: tuple[Pays, ...], again: bool = False) -> Solved:
    """Return the value of every state of a turn and the value of rolling on, in the order of the table's states.

    ``pays`` has the values of stopping. If the table distinguishes two ones, a second tuple has the values of stopping
    with two ones aside. With ``again``, one roll of the turn may be repeated. The mean over the rolls is rounded once
    for each state.
    """
    return _solve(table, pays, turn_solving_values(table, pays)[1] if again else None)
