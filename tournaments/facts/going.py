"""Who left a knockout, and the places that it gave."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from math import inf

from tournaments.formats.knockout import Placing
from tournaments.standings import Corrections, Row


def gone(seeds: Sequence[int], times: Mapping[int, float], finished: float | None, held: Corrections) -> list[int]:
    """Return who no longer plays on in a stage, in the order in which they left; of those who left together the better
    seed was there longer. Who left after the stage had finished has played in it to the end.

    ``times``: when each entry that is out left, in any unit; ``finished``: when the stage did, None while it goes on.
    """
    left = dict(times)
    if finished is not None:
        left = {one: time for one, time in left.items() if time <= finished}
    else:
        left |= dict.fromkeys(held.left, inf)
    left |= {one: left.get(one, inf) for one in held.disqualified}
    numbers = {one: number for number, one in enumerate(seeds)}
    return sorted(left.keys() & numbers.keys(), key=lambda one: (left[one], -numbers[one]))


def placed(rows: Sequence[Row], placings: Sequence[Placing], held: Corrections) -> tuple[Row, ...]:
    """Return what the rows count, in the order and with the ranks of a bracket: no tie-break has a say in it. Whoever
    is disqualified comes last, and those below move up.
    """
    by_entrant = {row.entrant: row for row in rows}
    counted = [one for one in placings if one.entrant not in held.disqualified]
    ahead = sorted(one.rank for one in counted)
    ranks = {one.entrant: 1 + bisect_left(ahead, one.rank) for one in counted}
    last = [one for one in placings if one.entrant in held.disqualified]
    return tuple(
        by_entrant[one.entrant]._replace(
            rank=ranks.get(one.entrant, len(counted) + 1),
            values={},
            tied_with={},
            above_next_by="",
        )
        for one in (*counted, *last)
    )
