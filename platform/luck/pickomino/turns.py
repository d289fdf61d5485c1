"""A turn of Pickomino. The end of a turn has the value of the board after it. All other values are exact."""

from functools import cached_property
from typing import Final

from games.catalogue.grill.aside import NOTHING as NONE_ASIDE
from games.catalogue.grill.aside import ROLL, STEAL, Aside
from games.catalogue.grill.tiles import tiles_highest, tiles_listed
from games.catalogue.pickomino.board import PickominoBoard, PickominoPhase
from games.catalogue.pickomino.position import PickominoPosition
from games.state import State
from luck.game_account import Alternative
from luck.grill.board_value import BoardValue
from luck.grill.dice import MOST, Pays, TurnState, dice_turn_table
from luck.grill.solving import Solved, turn_dice_worth, turn_solving_facts, turn_solving_values
from luck.shares import Shares, luck_shares_with

TABLE: Final = dice_turn_table()


class PickominoTurn:
    """A turn of ``board.seat``. All values are the expected share of this seat."""

    def __init__(self, board: PickominoBoard, value: BoardValue[PickominoBoard]) -> None:
        self.board = board
        self.seat = board.seat
        self.base = value.shares(board)
        self._value = value
        self._takes = {tile: self.ended(board.take(NONE_ASIDE, tile)) for tile in tiles_listed(board.grill)}
        tops = {stack[-1] for seat, stack in enumerate(board.stacks) if stack and seat != board.seat}
        self._steals = {tile: self.ended(board.steal(turn_dice_worth(tile))) for tile in tops}
        self._fail = self.ended(board.bust(NONE_ASIDE, "no_face"))

    def ended(self, board: PickominoBoard) -> int:
        """Return the value of this turn if it ends with ``board``."""
        return self._value.share(board, self.seat)

    def shares(self, share: int) -> Shares:
        """Return the shares of all seats, given the ``share`` of this seat. The others bear the difference equally."""
        return luck_shares_with(self.base, self.seat, share)

    def worth(self, position: PickominoPosition) -> int:
        """Return the value of a position of this turn."""
        if position.phase is PickominoPhase.ROLL:
            return self._solved[1][_number(position.aside)]
        return max(self._values(position))

    def alternatives(self, position: PickominoPosition) -> list[Alternative]:
        """Return the actions of the seat with their values and facts, in the order of the position's choices.

        In the phases "steal" and "lower", the only fact is the tile. For the facts of other phases, see
        ``_dice_facts``.
        """
        options = zip(position.choices, self._values(position), self._facts(position), strict=True)
        return [Alternative(*option) for option in options]

    def _values(self, position: PickominoPosition) -> list[int]:
        phase, own, choices = position.phase, position.aside, position.choices
        if phase is PickominoPhase.CHOOSE:
            return [self._solved[0][_number(own.take(action, position.rolled))] for action in choices]
        if phase is PickominoPhase.DECIDE:
            return [self._solved[1][_number(own)] if action == ROLL else self._stop(own) for action in choices]
        if phase is PickominoPhase.STEAL:
            return [self._steals[own.total] if action == STEAL else self._lower(own.total) for action in choices]
        return [self._takes[_tile(action)] for action in choices]

    def _facts(self, position: PickominoPosition) -> list[dict[str, int]]:
        phase, own, choices = position.phase, position.aside, position.choices
        if phase is PickominoPhase.CHOOSE:
            return [self._dice_facts(own.take(action, position.rolled)) for action in choices]
        if phase is PickominoPhase.DECIDE:
            return [self._dice_facts(own) for _ in choices]
        if phase is PickominoPhase.STEAL:
            return [{"tile": own.total if action == STEAL else self._highest(own.total)} for action in choices]
        return [{"tile": _tile(action)} for action in choices]

    @cached_property
    def _solved(self) -> Solved:
        return turn_solving_values(TABLE, (self._pays,))

    @cached_property
    def _pays(self) -> Pays:
        return (*map(self._pay, range(MOST + 1)), *[self._fail] * (MOST + 2))

    def _pay(self, total: int) -> int:
        """Return the value of stopping with a worm aside.

        It must agree with ``pickomino_position_resolve`` and ``pickomino_position_settle``.
        """
        if total in self._takes:
            return self._takes[total]
        if total not in self._steals:
            return self._lower(total)
        steal = self._steals[total]
        return steal if self.board.rules.steal == "mandatory" else max(steal, self._lower(total))

    def _stop(self, own: Aside) -> int:
        return self._pays[own.total] if own.worm else self._fail

    def _lower(self, total: int) -> int:
        lower = tiles_listed(self.board.lower(total))
        if not lower:
            return self._fail
        if self.board.rules.lower_tile == "any_lower":
            return max(self._takes[tile] for tile in lower)
        return self._takes[lower[-1]]

    def _highest(self, total: int) -> int:
        lower = self.board.lower(total)
        return tiles_highest(lower) if lower else 0

    def _dice_facts(self, own: Aside) -> dict[str, int]:
        """Return the facts about the dice aside, see ``turn_solving_facts``."""
        exact = own.total in self._takes or own.total in self._steals
        tile = own.total if exact else self._highest(own.total)
        return turn_solving_facts(own, tile if own.worm else 0)


class PickominoJudge:
    """The judge of Pickomino, see ``Judge``. It solves a turn when its values are needed, and caches the last turn."""

    def __init__(self, value: BoardValue[PickominoBoard]) -> None:
        self._value = value
        self._turn: PickominoTurn | None = None

    def at(self, state: State) -> Shares:
        """See ``Judge.at``."""
        position = _position(state)
        if position.phase is PickominoPhase.START:
            return self._value.start([_position(state.play(action)).board for action in state.actions()])
        if position.board.over:
            return self._value.shares(position.board)
        turn = self._turn_of(position)
        return turn.shares(turn.worth(position))

    def led(self, before: State, after: State) -> Shares:
        """See ``Judge.led``."""
        old, new = _position(before), _position(after)
        if old.phase is PickominoPhase.START:
            return self._value.shares(new.board)
        turn = self._turn_of(old)
        return turn.shares(turn.worth(new) if new.board is old.board else turn.ended(new.board))

    def choice(self, state: State) -> tuple[str, tuple[Alternative, ...]]:
        """See ``Judge.choice``: "face", "go_on", "steal" or "tile"."""
        position = _position(state)
        options = self._turn_of(position).alternatives(position)
        return KINDS[position.phase], tuple(sorted(options, key=lambda one: -one.value))

    def roller(self, state: State) -> int:
        """See ``Judge.roller``."""
        position = _position(state)
        return -1 if position.phase is PickominoPhase.START else position.board.seat

    def _turn_of(self, position: PickominoPosition) -> PickominoTurn:
        if self._turn is None or self._turn.board is not position.board:
            self._turn = PickominoTurn(position.board, self._value)
        return self._turn


KINDS: Final = {
    PickominoPhase.CHOOSE: "face",
    PickominoPhase.DECIDE: "go_on",
    PickominoPhase.STEAL: "steal",
    PickominoPhase.LOWER: "tile",
}


def _position(state: State) -> PickominoPosition:
    if not isinstance(state, PickominoPosition):
        raise TypeError(f"not a position of Pickomino: {type(state).__name__}")
    return state


def _tile(action: str) -> int:
    return int(action.removeprefix("tile "))


def _number(own: Aside) -> int:
    return TABLE.number[TurnState(own.used, own.left, own.total, golden=False, double=False)]
