"""A turn of Heckmeck. The end of a turn has the value of the board after it. All other values are calculated exactly.

The calculation includes the weasel's second throw, the golden die and the bratworm for two ones. If the seat may choose
who gives such a bratworm, it is assumed to make the choice after which the board has the best value.
"""

from functools import cached_property
from math import isqrt
from typing import Final

from games.catalogue.grill.aside import ROLL
from games.catalogue.heckmeck.board import HeckmeckBoard, heckmeck_board_weasel_ready
from games.catalogue.heckmeck.position import (
    LEAVE_WEASEL,
    USE_WEASEL,
    HeckmeckPosition,
    heckmeck_position_fail,
    heckmeck_position_stolen,
    heckmeck_position_taken,
)
from games.catalogue.heckmeck.rules import CANNED_POINTS, CANNED_WORM, HEN, NOBODY, TILES
from games.catalogue.heckmeck.turn import LEFT, NINE, WHITE, Hand, HeckmeckPhase
from games.chance import FACES
from games.state import State
from luck.game_account import Alternative
from luck.grill.board_value import BoardValue
from luck.grill.dice import FAILED, MOST, Pays, TurnState, TurnTable, dice_stopping_pays, dice_turn_table
from luck.grill.solving import Solved, turn_dice_worth, turn_solving_facts, turn_solving_values
from luck.shares import UNIT, Shares, luck_shares_with

# In these phases no more dice are thrown. Only choices about the result remain.
SETTLING: Final = frozenset({HeckmeckPhase.CANNED, HeckmeckPhase.STEAL, HeckmeckPhase.RAVEN, HeckmeckPhase.KEEP})


class Stops:
    """The ends of a turn of ``board.seat``, with the expected shares of this seat."""

    def __init__(self, board: HeckmeckBoard, value: BoardValue[HeckmeckBoard]) -> None:
        self._board = board
        self._value = value
        self._known: dict[int, int] = {}

    def ended(self, position: HeckmeckPosition) -> int:
        """Return the value of a position after the last throw of this turn."""
        if position.phase in SETTLING:
            return max(self.ended(position.play(choice)) for choice in position.choices)
        return self._value.share(position.board, self._board.seat)

    @cached_property
    def pays(self) -> Pays:
        """The values of stopping, see ``Pays``.

        They must agree with ``heckmeck_position_resolve`` and ``heckmeck_position_settle``.
        """
        totals = range(MOST + 1)
        return (*map(self._pay, totals), *map(self._canned, totals), self._failed)

    def tile(self, total: int, *, worm: bool) -> int | None:
        """Return the tile that stopping wins; 0 if it wins none, None if it wins only a specialist."""
        board = self._board
        if not worm:
            if not board.has(CANNED_WORM):
                return 0
            total += CANNED_POINTS
        if board.may_take(total):
            return total
        if (rival := board.rival_with(total)) == NOBODY:
            return board.lower(total)
        return None if board.places[HEN] == rival else total

    @cached_property
    def _failed(self) -> int:
        return self.ended(heckmeck_position_fail(self._board, WHITE, "no_face"))

    def _canned(self, total: int) -> int:
        if not self._board.has(CANNED_WORM):
            return self._failed
        pays = self._pay(total + CANNED_POINTS)
        return max(pays, self._failed) if self._board.rules.canned == "choice" else pays

    def _pay(self, total: int) -> int:
        """Return the value of a turn with the sum ``total`` and a worm."""
        if self._board.may_take(total):
            return self._take(total)
        if self._board.rival_with(total) == NOBODY:
            return self._lower(total)
        steal = self.ended(heckmeck_position_stolen(self._board, Hand(turn_dice_worth(total), "", -1)))
        rule = self._board.rules.steal
        if rule == "mandatory":
            return steal
        return max(steal, self._failed if rule == "optional_or_fail" else self._lower(total))

    def _lower(self, total: int) -> int:
        tile = self._board.lower(total)
        return self._take(tile) if tile else self._failed

    def _take(self, tile: int) -> int:
        if tile not in self._known:
            self._known[tile] = self.ended(heckmeck_position_taken(self._board, WHITE, tile))
        return self._known[tile]


Value = BoardValue[HeckmeckBoard]


class HeckmeckTurn:
    """A turn of ``board.seat``, from ``board`` on. All values are the expected share of this seat.

    Two ones bring a bratworm. ``doubled`` is the board with this bratworm. It is ``board`` itself if ``board`` has it
    already.
    """

    def __init__(self, board: HeckmeckBoard, value: Value, *, double: bool) -> None:
        self.board = board
        self.seat = board.seat
        self.base = value.shares(board)
        self.doubled = board if double else _with_bratworm(board, value)
        self._single = Stops(board, value)
        self._double = self._single if self.doubled is board else Stops(self.doubled, value)

    def knows(self, board: HeckmeckBoard) -> bool:
        """Return whether ``board`` is the board of this turn."""
        return board is self.board or board in (self.board, self.doubled)

    def shares(self, share: int) -> Shares:
        """Return the shares of all seats, given the ``share`` of this seat. The others bear the difference equally."""
        return luck_shares_with(self.base, self.seat, share)

    def worth(self, position: HeckmeckPosition) -> int:
        """Return the value of a position of this turn, or of one that ends it."""
        phase, hand = position.phase, position.hand
        if position.board.turn != self.board.turn or position.board.over or phase in SETTLING:
            return self._single.ended(position)
        if phase is HeckmeckPhase.ROLL:
            return self.rolling(hand)
        if phase is HeckmeckPhase.DOUBLE:
            return self._of(hand, 0)
        return max(value for _, value in self.values(position))

    def rolling(self, hand: Hand) -> int:
        """Return the value of the next roll."""
        return self._of(hand, 1)

    def values(self, position: HeckmeckPosition) -> list[tuple[str, int]]:
        """Return the actions and their values. The choice is about a face, about going on, or about the golden die."""
        hand, phase = position.hand, position.phase
        of = {
            HeckmeckPhase.CHOOSE: self._choice,
            HeckmeckPhase.DECIDE: self._decision,
            HeckmeckPhase.GOLDEN: self._golden,
        }[phase]
        return [(action, of(hand, action, position.rolled)) for action in position.choices]

    def facts(self, hand: Hand) -> dict[str, int]:
        """Return the facts about the dice aside in ``hand``, see ``turn_solving_facts``."""
        own = hand.aside
        stops = self._double if own.counts[0] > 1 else self._single
        golden = tuple(map(FACES.index, self.board.rules.golden_die_faces)) if hand.golden == LEFT else ()
        return turn_solving_facts(own, stops.tile(own.total, worm=own.worm), golden)

    def _choice(self, hand: Hand, action: str, rolled: str) -> int:
        if action == USE_WEASEL:
            return self.rolling(hand._replace(rethrown=hand.aside.rolls))
        if action == LEAVE_WEASEL:
            return self._pays[_double(hand)][FAILED]
        return self._of(hand.take(action, rolled), 0)

    def _decision(self, hand: Hand, action: str, _rolled: str) -> int:
        return self.rolling(hand) if action == ROLL else self._pays[_double(hand)][dice_stopping_pays(_state(hand))]

    def _golden(self, _hand: Hand, action: str, _rolled: str) -> int:
        return self.rolling(NINE if action.startswith("use") else WHITE)

    @cached_property
    def _pays(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return self._single.pays, self._double.pays

    def _of(self, hand: Hand, at: int) -> int:
        """Return the value of the dice in hand if ``at`` is 0, and the value of rolling them on if ``at`` is 1."""
        table = self._table(hand)
        solved: Solved = turn_solving_values(table, self._pays, heckmeck_board_weasel_ready(self.board, hand))
        return solved[at][table.number[_state(hand)]]

    def _table(self, hand: Hand) -> TurnTable:
        return dice_turn_table(self.board.rules.golden_die_faces if hand.golden else (), doubles=True)


def heckmeck_turns_ahead(state: State) -> int:
    """Return how much a better bot can still gain, from 0 to 1 in units of 1e-9. See ``luck_share_moments``.

    It is the square root of the share of tiles that are still on the grill. The square root fitted best on games
    between the sage and the cautious bot.
    """
    return isqrt(UNIT * UNIT * _position(state).board.grill.bit_count() // len(TILES))


class HeckmeckJudge:
    """The judge of Heckmeck, see ``Judge``. It solves a turn when its values are needed, and caches the last turn."""

    def __init__(self, value: Value) -> None:
        self._value = value
        self._turn: HeckmeckTurn | None = None

    def at(self, state: State) -> Shares:
        """See ``Judge.at``."""
        position = _position(state)
        if position.phase is HeckmeckPhase.START:
            return self._value.start([_position(state.play(action)).board for action in state.actions()])
        if position.board.over:
            return self._value.shares(position.board)
        turn = self._turn_of(position)
        if position.phase is HeckmeckPhase.DOUBLE:
            return turn.shares(max(value for _, value in self._values(position)))
        return turn.shares(turn.worth(position))

    def led(self, before: State, after: State) -> Shares:
        """See ``Judge.led``."""
        old, new = _position(before), _position(after)
        if old.phase is HeckmeckPhase.START:
            return self._value.shares(new.board)
        turn = self._turn_of(old)
        if old.phase is HeckmeckPhase.DOUBLE:
            return turn.shares(self._given(turn, new))
        return turn.shares(turn.worth(new))

    def choice(self, state: State) -> tuple[str, tuple[Alternative, ...]]:
        """See ``Judge.choice``: "face", "weasel", "go_on", "golden", "bratworm", "canned", "steal" or "keep"."""
        position = _position(state)
        values = self._values(position)
        options = [Alternative(action, value, self._facts(position, action)) for action, value in values]
        kind = "weasel" if LEAVE_WEASEL in position.choices else KINDS[position.phase]
        return kind, tuple(sorted(options, key=lambda one: -one.value))

    def roller(self, state: State) -> int:
        """See ``Judge.roller``."""
        position = _position(state)
        return -1 if position.phase is HeckmeckPhase.START else position.board.seat

    def _values(self, position: HeckmeckPosition) -> list[tuple[str, int]]:
        """Return the actions of the player and their values."""
        turn, after = self._turn_of(position), position.play
        if position.phase is HeckmeckPhase.DOUBLE:
            return [(action, self._given(turn, after(action))) for action in position.choices]
        if position.phase in SETTLING:
            return [(action, turn.worth(after(action))) for action in position.choices]
        return turn.values(position)

    def _given(self, turn: HeckmeckTurn, position: HeckmeckPosition) -> int:
        """Return the value of a position after a player has given the bratworm for two ones."""
        if position.phase is HeckmeckPhase.DECIDE and not turn.knows(position.board):
            turn = HeckmeckTurn(position.board, self._value, double=True)
        return turn.worth(position)

    def _facts(self, position: HeckmeckPosition, action: str) -> dict[str, int]:
        phase, hand, turn = position.phase, position.hand, self._turn_of(position)
        if phase is HeckmeckPhase.CHOOSE and action.startswith("take "):
            return turn.facts(hand.take(action, position.rolled))
        if phase in (HeckmeckPhase.CHOOSE, HeckmeckPhase.DECIDE):
            return turn.facts(hand)
        last = position.play(action).board.last if phase is HeckmeckPhase.STEAL else None
        return {"tile": last.tile} if last else {}

    def _turn_of(self, position: HeckmeckPosition) -> HeckmeckTurn:
        board, turn = position.board, self._turn
        if turn is not None and (turn.knows(board) or (position.phase in SETTLING and turn.board.turn == board.turn)):
            return turn
        self._turn = HeckmeckTurn(board, self._value, double=_double(position.hand))
        return self._turn


KINDS: Final = {
    HeckmeckPhase.GOLDEN: "golden",
    HeckmeckPhase.CHOOSE: "face",
    HeckmeckPhase.DOUBLE: "bratworm",
    HeckmeckPhase.DECIDE: "go_on",
    HeckmeckPhase.CANNED: "canned",
    HeckmeckPhase.STEAL: "steal",
    HeckmeckPhase.RAVEN: "bratworm",
    HeckmeckPhase.KEEP: "keep",
}


def _with_bratworm(board: HeckmeckBoard, value: Value) -> HeckmeckBoard:
    """Return the board after two ones have brought a bratworm; unchanged if nobody has one to give."""
    givers = (NOBODY,) if board.supply else board.bratworm_givers()
    boards = [board.bratworm(giver) for giver in givers]
    return max(boards, key=lambda one: value.share(one, board.seat), default=board)


def _position(state: State) -> HeckmeckPosition:
    if not isinstance(state, HeckmeckPosition):
        raise TypeError(f"not a position of Heckmeck: {type(state).__name__}")
    return state


def _double(hand: Hand) -> bool:
    return hand.aside.counts[0] > 1


def _state(hand: Hand) -> TurnState:
    own = hand.aside
    return TurnState(own.used, own.left, own.total, hand.golden == LEFT, _double(hand))
