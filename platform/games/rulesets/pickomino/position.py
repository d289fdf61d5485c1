"""The state machine of a Pickomino game: roll, choose, decide, and what a total is worth at the end of a turn."""

from collections.abc import Hashable
from enum import StrEnum
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any, Final, NamedTuple

from games.chance import FACES, Chance, Dice, Pick, roll_text
from games.rulesets.pickomino.board import Board, opening_board
from games.rulesets.pickomino.dice import NOTHING, Aside
from games.rulesets.pickomino.rules import Rules, highest, tiles
from games.rulesets.pickomino.score import standing
from games.rulesets.pickomino.view import position_view
from games.state import CHANCE, Outcome, State


class Phase(StrEnum):
    START = "start"  # chance draws the start player
    ROLL = "roll"  # chance rolls
    CHOOSE = "choose"
    DECIDE = "decide"
    STEAL = "steal"
    LOWER = "lower"  # only with lower_tile any_lower
    OVER = "over"


ROLL, STOP, STEAL, DECLINE = "roll", "stop", "steal", "decline"
ON_OR_STOP: Final = (ROLL, STOP)
STEAL_OR_NOT: Final = (STEAL, DECLINE)


class Fields(NamedTuple):
    board: Board
    aside: Aside
    phase: Phase
    rolled: str  # chance's last action while the player chooses from it
    choices: tuple[str, ...]  # the acting seat's legal actions


class Position(Fields, State):
    """One moment of a Pickomino game. A plain tuple underneath: cheap to make, impossible to change."""

    __slots__ = ()

    @property
    def actor(self) -> int:
        return self.board.seat if self.choices else CHANCE

    @property
    def turn(self) -> int:
        return self.board.turn

    def actions(self) -> tuple[str, ...]:
        if self.phase is Phase.ROLL:
            return rolls(self.aside.left)
        if self.phase is Phase.START:
            return tuple(f"start {seat}" for seat in range(self.board.rules.players))
        return self.choices

    def weight(self, action: str) -> int:
        """How many of the equally likely dice, in order, show this roll."""
        return roll_weight(action) if self.phase is Phase.ROLL else 1

    def chance(self) -> Chance | None:
        phase = self.phase
        if phase is Phase.ROLL:
            board, aside = self.board, self.aside
            return Dice(board.seat, (board.turn - 1) // board.rules.players, aside.rolls, aside.left)
        return Pick("start", self.board.rules.players) if phase is Phase.START else None

    def play(self, action: str) -> "Position":
        board, aside, phase, rolled, _ = self
        if phase is Phase.ROLL:
            choices = aside.choices(action)
            if choices:
                return Position(board, aside, Phase.CHOOSE, action, choices)
            return opening_turn(board.bust(aside, "no_face", action))
        if phase is Phase.CHOOSE:
            aside = aside.take(action, rolled)
            return resolve(board, aside) if aside.full else Position(board, aside, Phase.DECIDE, "", ON_OR_STOP)
        if phase is Phase.DECIDE:
            return Position(board, aside, Phase.ROLL, "", ()) if action == ROLL else resolve(board, aside)
        if phase is Phase.STEAL:
            return opening_turn(board.steal(aside)) if action == STEAL else settle(board, aside)
        if phase is Phase.LOWER:
            return opening_turn(board.take(aside, int(action.removeprefix("tile "))))
        return opening_turn(board._replace(seat=int(action.removeprefix("start ")), turn=1))

    def view(self, seat: int | None) -> dict[str, Any]:
        board, aside, phase, rolled, choices = self
        acting = board.seat if choices else CHANCE
        return position_view(board, aside, phase, rolled, seat, acting, choices if seat == acting else ())

    def outcome(self) -> Outcome | None:
        return standing(self.board) if self.phase is Phase.OVER else None

    def event(self) -> str:
        """How a turn ended ("take", "steal", "bust"), in the first position after it; "end" once the game is over."""
        if self.phase is Phase.OVER:
            return "end"
        fresh = self.phase is Phase.ROLL and self.aside is NOTHING
        return self.board.last.event if fresh and self.board.last else ""

    def facts(self) -> tuple[Hashable, ...]:
        board = self.board
        return (
            *(tuple(board.rules), board.seat, board.turn, tuple(tiles(board.grill)), tuple(tiles(board.facedown))),
            *(board.stacks, board.over, self.aside.counts, self.phase.value, self.rolled),
        )


def opening(rules: Rules) -> Position:
    """The first position."""
    board = opening_board(rules)
    return opening_turn(board) if board.turn else Position(board, NOTHING, Phase.START, "", ())


def opening_turn(board: Board, aside: Aside = NOTHING) -> Position:
    """A turn before its first roll, which is not the player's to refuse; or the end of the game."""
    return Position(board, aside, Phase.OVER if board.over else Phase.ROLL, "", ())


def resolve(board: Board, aside: Aside) -> Position:
    """The player has stopped or cannot go on: an exact tile on the grill is taken, a rival's top tile may be stolen."""
    total = aside.total
    if not aside.worm:
        return opening_turn(board.bust(aside, "no_worm"))
    if board.grill >> total & 1:
        return opening_turn(board.take(aside, total))
    if board.rival_with(total) < 0:
        return settle(board, aside)
    if board.rules.steal == "mandatory":
        return opening_turn(board.steal(aside))
    return Position(board, aside, Phase.STEAL, "", STEAL_OR_NOT)


def settle(board: Board, aside: Aside) -> Position:
    """Nothing was exact, or a rival was spared: a lower tile from the grill, or a failed turn."""
    lower = board.lower(aside.total)
    if not lower:
        return opening_turn(board.bust(aside, "no_tile"))
    if board.rules.lower_tile == "any_lower" and lower & (lower - 1):
        return Position(board, aside, Phase.LOWER, "", tuple(f"tile {tile}" for tile in tiles(lower)))
    return opening_turn(board.take(aside, highest(lower)))


@cache
def rolls(count: int) -> tuple[str, ...]:
    """Every roll of ``count`` dice."""
    shown = combinations_with_replacement(range(6), count)
    return tuple(roll_text([faces.count(face) for face in range(6)]) for faces in shown)


def roll_weight(action: str) -> int:
    counts = [action.count(face) for face in FACES]
    return factorial(sum(counts)) // prod(map(factorial, counts))
