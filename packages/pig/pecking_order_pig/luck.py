"""The exact value of Pig for two: the chance to win of the seat to move where both play as well as can be.

``starts.json`` has it for the start of every turn, in 1e-9, by its own points and then the other's; within a turn it
follows from them. ``python -m pecking_order_pig.luck`` solves the game and writes the file again. The end by too many
turns is left out: two who play well never come near it.
"""

import json
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from pecking.luck import UNIT, Alternative, GameLuck, KnownValue, Shares, rounded, shares_of
from pecking_order_pig.position import GOAL, Position

FACES = range(2, 7)  # a 1 ends the turn


class PigValue:
    id, ruleset = "pig/1-v1", "pig/1"

    def covers(self, players: int, options: Mapping[str, Any]) -> str:
        return "" if players == 2 else "players"


class PigJudge:
    def at(self, state: Position) -> Shares:
        if state.over:
            return shares_of(state.outcome().places)
        own, other = state.points[state.seat], state.points[1 - state.seat]
        share = rolled(own, other, state.won) if state.rolling else best(own, other, state.won)
        return (share, UNIT - share) if state.seat == 0 else (UNIT - share, share)

    def led(self, before: Position, after: Position) -> Shares:
        return self.at(after)

    def choice(self, state: Position) -> tuple[str, tuple[Alternative, ...]]:
        own, other = state.points[state.seat], state.points[1 - state.seat]
        roll = Alternative("roll", rolled(own, other, state.won))
        hold = Alternative("hold", held(own, other, state.won))
        return "roll_or_hold", (roll, hold) if roll.value >= hold.value else (hold, roll)

    def roller(self, state: Position) -> int:
        return state.seat


@cache
def starts() -> list[list[int]]:
    return json.loads(files(__package__).joinpath("starts.json").read_text())


def held(own: int, other: int, won: int) -> int:
    return UNIT - starts()[other][own + won]


@lru_cache(1 << 14)
def rolled(own: int, other: int, won: int) -> int:
    goes_on = (UNIT if own + won + face >= GOAL else best(own, other, won + face) for face in FACES)
    return rounded(UNIT - starts()[other][own] + sum(goes_on), 6)


def best(own: int, other: int, won: int) -> int:
    if not won:  # as in the table, which the value of the other's turns is taken from
        return starts()[own][other]
    return max(held(own, other, won), rolled(own, other, won))


def solved(goal: int = GOAL) -> list[list[float]]:
    """Return the chances at the start of turns, by value iteration from the scores that are next to the end."""
    found = [[0.5] * goal for _ in range(goal)]

    def turn(own: int, other: int) -> float:
        after = [1.0] * (goal - own + 7)  # by what the turn has won: the chance from there on
        for won in range(goal - own - 1, -1, -1):
            roll = (1 - found[other][own] + sum(after[won + face] for face in FACES)) / 6
            after[won] = max(roll, 1 - found[other][own + won]) if won else roll
        return after[0]

    for total in range(2 * goal - 2, -1, -1):
        for own in range(max(0, total - goal + 1), min(goal, total + 1)):
            other, change = total - own, 1.0
            while own <= other and change > 1e-13:
                new = turn(own, other), turn(other, own)
                change = abs(new[0] - found[own][other]) + abs(new[1] - found[other][own])
                found[own][other], found[other][own] = new
    return found


LUCK = GameLuck((KnownValue(PigValue(), PigJudge),))

if __name__ == "__main__":
    table = [[round(UNIT * share) for share in row] for row in solved()]
    files(__package__).joinpath("starts.json").write_text(json.dumps(table, separators=(",", ":")) + "\n")
