"""The state machine of Pickomino: roll, choose, decide, and what a total wins when the turn ends."""

from collections.abc import Hashable
from typing import Any, Final

from games.catalogue.grill.aside import (
    NOTHING,
    ON_OR_STOP,
    ROLL,
    STEAL,
    STEAL_OR_NOT,
    Aside,
    aside_roll_weight,
    aside_rolls,
    aside_rolls_odds,
)
from games.catalogue.grill.tiles import tiles_highest, tiles_listed
from games.catalogue.pickomino.board import (
    PickominoBoard,
    PickominoFields,
    PickominoPhase,
    pickomino_board_opening,
    pickomino_board_standing,
)
from games.catalogue.pickomino.rules import PickominoRules
from games.catalogue.pickomino.view import pickomino_view_visible
from games.chance import Chance, Odds, Pick, dice
from games.from_fields import from_fields
from games.schema import whole
from games.state import CHANCE, Outcome, State

# Access to a member of an enum is slow.
START, ROLLING, CHOOSE, DECIDE = PickominoPhase.START, PickominoPhase.ROLL, PickominoPhase.CHOOSE, PickominoPhase.DECIDE


class PickominoPosition(PickominoFields, State):
    """One moment of a game: a named tuple, which is cheap to create and immutable."""

    __slots__ = ()

    @property
    def actor(self) -> int:
        return self.board.seat if self.choices else CHANCE

    @property
    def turn(self) -> int:
        return self.board.turn

    def actions(self) -> tuple[str, ...]:
        return self.choices or pickomino_position_chance_actions(self.phase, self.aside.left, self.board.rules.players)

    def weight(self, action: str) -> int:
        return aside_roll_weight(action) if self.phase is ROLLING else 1

    def chance_outcomes(self) -> Odds:
        return aside_rolls_odds(self.aside.left) if self.phase is ROLLING else super().chance_outcomes()

    def chance(self) -> Chance | None:
        if self.choices:
            return None
        board, aside, phase, _, _ = self
        if phase is ROLLING:
            return dice(board.seat, (board.turn - 1) // board.rules.players, aside.rolls, aside.left)
        return Pick("start", board.rules.players) if phase is START else None

    def play(self, action: str) -> "PickominoPosition":
        board, aside, phase, rolled, _ = self
        if phase is CHOOSE:
            aside = aside.take(action, rolled)
            return (
                pickomino_position_resolve(board, aside) if aside.full else _new((board, aside, DECIDE, "", ON_OR_STOP))
            )
        if phase is ROLLING:
            choices = aside.choices(action)
            if choices:
                return _new((board, aside, CHOOSE, action, choices))
            return pickomino_position_next_turn(board.bust(aside, "no_face", action))
        if phase is DECIDE:
            return _new((board, aside, ROLLING, "", ())) if action == ROLL else pickomino_position_resolve(board, aside)
        if phase is PickominoPhase.STEAL:
            return (
                pickomino_position_next_turn(board.steal(aside))
                if action == STEAL
                else pickomino_position_settle(board, aside)
            )
        if phase is PickominoPhase.LOWER:
            return pickomino_position_next_turn(board.take(aside, int(action.removeprefix("tile "))))
        return pickomino_position_next_turn(board._replace(seat=int(action.removeprefix("start ")), turn=1))

    def view(self, seat: int | None) -> dict[str, Any]:
        rules = self.board.rules
        return whole(rules.ruleset, self, rules, seat, **pickomino_view_visible(self))

    def outcome(self) -> Outcome | None:
        return pickomino_board_standing(self.board) if self.board.over else None

    def event(self) -> str:
        """Return how a turn ended ("take", "steal", "bust") in the first position after it; "end" once the game is
        over.
        """
        if self.board.over:
            return "end"
        fresh = self.phase is ROLLING and self.aside is NOTHING
        return self.board.last.event if fresh and self.board.last else ""

    def facts(self) -> tuple[Hashable, ...]:
        board, aside, phase, rolled, _ = self
        return (
            *(
                tuple(board.rules),
                board.seat,
                board.turn,
                tuple(tiles_listed(board.grill)),
                tuple(tiles_listed(board.facedown)),
            ),
            *(board.stacks, board.over, aside.counts, phase.value, rolled),
        )


_new: Final = from_fields(PickominoPosition)


def pickomino_position_opening(rules: PickominoRules) -> PickominoPosition:
    """Return the first position."""
    board = pickomino_board_opening(rules)
    return pickomino_position_next_turn(board) if board.turn else _new((board, NOTHING, START, "", ()))


def pickomino_position_next_turn(board: PickominoBoard) -> PickominoPosition:
    """Begin a turn with its first roll, which is not optional; or end the game."""
    return _new((board, NOTHING, PickominoPhase.OVER if board.over else ROLLING, "", ()))


def pickomino_position_resolve(board: PickominoBoard, aside: Aside) -> PickominoPosition:
    """Take the tile that equals the total, from the grill or from a rival, once the player has stopped or cannot go on.
    If the options allow it, the player may decline a theft.
    """
    total = aside.total
    if not aside.worm:
        return pickomino_position_next_turn(board.bust(aside, "no_worm"))
    if board.grill >> total & 1:
        return pickomino_position_next_turn(board.take(aside, total))
    if board.rival_with(total) < 0:
        return pickomino_position_settle(board, aside)
    if board.rules.steal == "mandatory":
        return pickomino_position_next_turn(board.steal(aside))
    return _new((board, aside, PickominoPhase.STEAL, "", STEAL_OR_NOT))


def pickomino_position_settle(board: PickominoBoard, aside: Aside) -> PickominoPosition:
    """Take a lower tile from the grill, after no exact tile or a declined theft; or fail the turn."""
    lower = board.lower(aside.total)
    if not lower:
        return pickomino_position_next_turn(board.bust(aside, "no_tile"))
    if board.rules.lower_tile == "any_lower" and lower & (lower - 1):
        return _new((board, aside, PickominoPhase.LOWER, "", tuple(f"tile {tile}" for tile in tiles_listed(lower))))
    return pickomino_position_next_turn(board.take(aside, tiles_highest(lower)))


def pickomino_position_chance_actions(phase: PickominoPhase, left: int, players: int) -> tuple[str, ...]:
    """Return the actions of chance: every roll of ``left`` dice, or every start player; empty once the game is over."""
    if phase is START:
        return tuple(f"start {seat}" for seat in range(players))
    return aside_rolls(left) if phase is ROLLING else ()
