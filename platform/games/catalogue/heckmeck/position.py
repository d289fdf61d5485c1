"""The state machine of Heckmeck: a Pickomino turn, and what the specialists add to it (RULINGS 2.2)."""

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, Final

from games.catalogue.grill.aside import ON_OR_STOP, ROLL, STEAL, STEAL_OR_NOT, aside_rolls, aside_rolls_odds
from games.catalogue.grill.tiles import tiles_listed
from games.catalogue.heckmeck.board import (
    HeckmeckBoard,
    HeckmeckFields,
    heckmeck_board_opening,
    heckmeck_board_standing,
    heckmeck_board_weasel_ready,
)
from games.catalogue.heckmeck.rules import (
    CANNED_POINTS,
    CANNED_WORM,
    GOLDEN_DIE,
    NOBODY,
    RAVEN,
    SPECIALISTS,
    HeckmeckRules,
)
from games.catalogue.heckmeck.turn import (
    LEFT,
    NINE,
    WHITE,
    Hand,
    HeckmeckPhase,
    heckmeck_turn_golden_odds,
    heckmeck_turn_golden_rolls,
    heckmeck_turn_golden_weight,
)
from games.catalogue.heckmeck.view import heckmeck_view_visible
from games.chance import Chance, Odds, Pick
from games.from_fields import from_fields
from games.schema import whole
from games.state import CHANCE, Outcome, State

# Access to a member of an enum is slow.
START, ROLLING, CHOOSE, DECIDE = HeckmeckPhase.START, HeckmeckPhase.ROLL, HeckmeckPhase.CHOOSE, HeckmeckPhase.DECIDE
USE_GOLDEN, LEAVE_GOLDEN = GOLDEN_OR_NOT = ("use golden_die", "leave golden_die")
USE_WEASEL, LEAVE_WEASEL = WEASEL_OR_NOT = ("use weasel", "leave weasel")
USE_CANNED, LEAVE_CANNED = CANNED_OR_NOT = ("use canned_worm", "leave canned_worm")


class HeckmeckPosition(HeckmeckFields, State):
    """One moment of a game: a named tuple, which is cheap to create and immutable."""

    __slots__ = ()

    @property
    def actor(self) -> int:
        return self.board.seat if self.choices else CHANCE

    @property
    def turn(self) -> int:
        return self.board.turn

    def actions(self) -> tuple[str, ...]:
        return self.choices or self._chance_actions()

    def weight(self, action: str) -> int:
        """Return in how many of the equally likely ordered throws this roll shows."""
        return heckmeck_turn_golden_weight(action, self.board.rules.golden_die_faces) if self.phase is ROLLING else 1

    def chance_outcomes(self) -> Odds:
        board, hand, phase, _, _ = self
        if phase is not ROLLING:
            return super().chance_outcomes()
        left, faces = hand.aside.left, board.rules.golden_die_faces
        return heckmeck_turn_golden_odds(left - 1, faces) if hand.golden == LEFT else aside_rolls_odds(left)

    def chance(self) -> Chance | None:
        if self.choices:
            return None
        board, hand, phase, _, _ = self
        if phase is ROLLING:
            return hand.request(board.seat, (board.turn - 1) // board.rules.players, board.rules.golden_die_faces)
        return Pick("start", board.rules.players) if phase is START else None

    def play(self, action: str) -> "HeckmeckPosition":
        board, hand, phase, _, _ = self
        if phase is CHOOSE:
            return self._choose(action)
        if phase is ROLLING:
            return heckmeck_position_thrown(board, hand, action)
        if phase is DECIDE:
            return _new((board, hand, ROLLING, "", ())) if action == ROLL else heckmeck_position_resolve(board, hand)
        if phase is HeckmeckPhase.KEEP:
            return self._keep(action)
        return _PLAYS[phase](board, hand, action)

    def view(self, seat: int | None) -> dict[str, Any]:
        rules = self.board.rules
        return whole(rules.ruleset, self, rules, seat, **heckmeck_view_visible(self))

    def outcome(self) -> Outcome | None:
        return heckmeck_board_standing(self.board) if self.board.over else None

    def event(self) -> str:
        """Return how a turn ended ("take", "steal", "bust") in the first position after it; "end" once the game is
        over.
        """
        board = self.board
        if board.over:
            return "end"
        return board.last.event if board.last and self == heckmeck_position_next_turn(board) else ""

    def facts(self) -> tuple[Hashable, ...]:
        board, hand, phase, rolled, choices = self
        return (
            *(
                tuple(board.rules),
                board.seat,
                board.turn,
                tuple(tiles_listed(board.grill)),
                tuple(tiles_listed(board.facedown)),
            ),
            *(board.stacks, board.places, board.supply, board.bratworms, board.over),
            *(hand.aside.counts, hand.golden, hand.rethrown, phase.value, rolled, choices),
        )

    def _chance_actions(self) -> tuple[str, ...]:
        board, hand, phase, _, _ = self
        if phase is START:
            return tuple(f"start {seat}" for seat in range(board.rules.players))
        if phase is not ROLLING:
            return ()
        if hand.golden == LEFT:
            return heckmeck_turn_golden_rolls(hand.aside.left - 1, board.rules.golden_die_faces)
        return aside_rolls(hand.aside.left)

    def _choose(self, action: str) -> "HeckmeckPosition":
        board, hand, _, rolled, _ = self
        if action == USE_WEASEL:
            return _new((board, hand._replace(rethrown=hand.aside.rolls), ROLLING, "", ()))
        if action == LEAVE_WEASEL:
            return heckmeck_position_fail(board, hand, "no_face", rolled)
        hand = hand.take(action, rolled)
        if action == "take 1" and hand.aside.counts[0] > 1:
            return heckmeck_position_bratworm(board, hand, HeckmeckPhase.DOUBLE)
        return heckmeck_position_go_on(board, hand)

    def _keep(self, action: str) -> "HeckmeckPosition":
        """Keep one of two specialists and put the other on the grill."""
        kept_first = sorted(self.choices, key=lambda choice: choice != action)
        kept, other = (SPECIALISTS.index(choice.removeprefix("keep ")) for choice in kept_first)
        board = self.board
        if not board.has(kept):
            board = board.move(kept, board.seat)
        return heckmeck_position_next_turn(board.place(other).next())


_new: Final = from_fields(HeckmeckPosition)


def heckmeck_position_opening(rules: HeckmeckRules) -> HeckmeckPosition:
    """Return the first position."""
    board = heckmeck_board_opening(rules)
    return heckmeck_position_next_turn(board) if board.turn else _new((board, WHITE, START, "", ()))


def heckmeck_position_next_turn(board: HeckmeckBoard) -> HeckmeckPosition:
    """Begin a turn with its first roll, which is not optional; or end the game."""
    if board.over:
        return _new((board, WHITE, HeckmeckPhase.OVER, "", ()))
    if not board.has(GOLDEN_DIE):
        return _new((board, WHITE, ROLLING, "", ()))
    if board.rules.golden_die_use == "always":
        return _new((board, NINE, ROLLING, "", ()))
    return _new((board, WHITE, HeckmeckPhase.GOLDEN, "", GOLDEN_OR_NOT))


def heckmeck_position_thrown(board: HeckmeckBoard, hand: Hand, rolled: str) -> HeckmeckPosition:
    """Let the player choose from a roll or throw it again with the weasel. Without any choice, the turn fails."""
    choices = hand.aside.choices(rolled)
    if heckmeck_board_weasel_ready(board, hand):
        choices = (*choices, USE_WEASEL) if choices else WEASEL_OR_NOT
    if choices:
        return _new((board, hand, CHOOSE, rolled, choices))
    return heckmeck_position_fail(board, hand, "no_face", rolled)


def heckmeck_position_go_on(board: HeckmeckBoard, hand: Hand) -> HeckmeckPosition:
    """Let the player roll on or stop after setting a face aside, unless the turn ends by itself."""
    return heckmeck_position_resolve(board, hand) if hand.aside.full else _new((board, hand, DECIDE, "", ON_OR_STOP))


def heckmeck_position_bratworm(board: HeckmeckBoard, hand: Hand, phase: HeckmeckPhase) -> HeckmeckPosition:
    """Give a bratworm (BRATWORM): from the supply, or from another player if the supply is empty. If several players
    can give one, the player chooses which of them does.
    """
    givers = (NOBODY,) if board.supply else board.bratworm_givers()
    if len(givers) > 1:
        return _new((board, hand, phase, "", tuple(f"bratworm {seat}" for seat in givers)))
    if givers:
        board = board.bratworm(givers[0])
    return _after_bratworm(board, hand, phase)


def heckmeck_position_resolve(board: HeckmeckBoard, hand: Hand) -> HeckmeckPosition:
    """Check for a worm or the canned worm once the player has stopped or cannot go on; then settle or fail the turn."""
    if hand.aside.worm:
        return heckmeck_position_settle(board, hand)
    if not board.has(CANNED_WORM):
        return heckmeck_position_fail(board, hand, "no_worm")
    if board.rules.canned == "choice":
        return _new((board, hand, HeckmeckPhase.CANNED, "", CANNED_OR_NOT))
    return heckmeck_position_settle(board, hand)


def heckmeck_position_total_of(hand: Hand) -> int:
    """Return the total of a turn that has a worm. Without a worm among the dice, the canned worm is added."""
    return hand.aside.total if hand.aside.worm else hand.aside.total + CANNED_POINTS


def heckmeck_position_settle(board: HeckmeckBoard, hand: Hand) -> HeckmeckPosition:
    """Take the tile that equals the total from the grill, or steal another player's top tile. If the options allow it,
    the player may decline the theft.
    """
    total = heckmeck_position_total_of(hand)
    if board.may_take(total):
        return heckmeck_position_taken(board, hand, total)
    if board.rival_with(total) == NOBODY:
        return heckmeck_position_lower(board, hand)
    if board.rules.steal == "mandatory":
        return heckmeck_position_stolen(board, hand)
    return _new((board, hand, HeckmeckPhase.STEAL, "", STEAL_OR_NOT))


def heckmeck_position_lower(board: HeckmeckBoard, hand: Hand) -> HeckmeckPosition:
    """Take the next lower tile of the grill, after no exact tile or a declined theft; or fail the turn."""
    tile = board.lower(heckmeck_position_total_of(hand))
    return heckmeck_position_taken(board, hand, tile) if tile else heckmeck_position_fail(board, hand, "no_tile")


def heckmeck_position_taken(board: HeckmeckBoard, hand: Hand, tile: int) -> HeckmeckPosition:
    """Take a tile from the grill with the specialist on it. The raven gives a bratworm and stays."""
    specialist = board.at(tile)
    board = board.take(hand, heckmeck_position_total_of(hand), tile)
    if specialist == RAVEN:
        return heckmeck_position_bratworm(board, hand, HeckmeckPhase.RAVEN)
    return heckmeck_position_gain(board, hand, specialist)


def heckmeck_position_stolen(board: HeckmeckBoard, hand: Hand) -> HeckmeckPosition:
    """Steal a rival's top tile and the specialist on it, or the hen alone."""
    specialist = board.at(board.rival_with(heckmeck_position_total_of(hand)))
    return heckmeck_position_gain(board.steal(hand, heckmeck_position_total_of(hand)), hand, specialist)


def heckmeck_position_gain(board: HeckmeckBoard, hand: Hand, specialist: int) -> HeckmeckPosition:
    """Give the player a specialist (GAIN), and end the turn. A player who already has one keeps one of the two."""
    if specialist == NOBODY:
        return heckmeck_position_next_turn(board.next())
    own = board.at(board.seat)
    if own == NOBODY:
        return heckmeck_position_next_turn(board.move(specialist, board.seat).next())
    return _new(
        (board, hand, HeckmeckPhase.KEEP, "", tuple(f"keep {SPECIALISTS[one]}" for one in sorted((own, specialist))))
    )


def heckmeck_position_fail(board: HeckmeckBoard, hand: Hand, why: str, rolled: str = "") -> HeckmeckPosition:
    """End a turn that wins nothing."""
    total = heckmeck_position_total_of(hand) if why in ("no_tile", "declined") else hand.aside.total
    return heckmeck_position_next_turn(board.bust(hand, why, total, rolled).next())


def _after_bratworm(board: HeckmeckBoard, hand: Hand, phase: HeckmeckPhase) -> HeckmeckPosition:
    return (
        heckmeck_position_go_on(board, hand)
        if phase is HeckmeckPhase.DOUBLE
        else heckmeck_position_next_turn(board.place(RAVEN).next())
    )


def _golden(board: HeckmeckBoard, hand: Hand, action: str) -> HeckmeckPosition:
    return _new((board, NINE if action == USE_GOLDEN else WHITE, ROLLING, "", ()))


def _bratworm_from(phase: HeckmeckPhase, board: HeckmeckBoard, hand: Hand, action: str) -> HeckmeckPosition:
    return _after_bratworm(board.bratworm(int(action.removeprefix("bratworm "))), hand, phase)


def _canned(board: HeckmeckBoard, hand: Hand, action: str) -> HeckmeckPosition:
    if action == USE_CANNED:
        return heckmeck_position_settle(board, hand)
    return heckmeck_position_fail(board, hand, "no_worm")


def _steal(board: HeckmeckBoard, hand: Hand, action: str) -> HeckmeckPosition:
    if action == STEAL:
        return heckmeck_position_stolen(board, hand)
    return (
        heckmeck_position_fail(board, hand, "declined")
        if board.rules.steal == "optional_or_fail"
        else heckmeck_position_lower(board, hand)
    )


def _start(board: HeckmeckBoard, hand: Hand, action: str) -> HeckmeckPosition:
    return heckmeck_position_next_turn(board._replace(seat=int(action.removeprefix("start ")), turn=1))


_PLAYS: Final[dict[HeckmeckPhase, Callable[[HeckmeckBoard, Hand, str], HeckmeckPosition]]] = {
    HeckmeckPhase.START: _start,
    HeckmeckPhase.GOLDEN: _golden,
    HeckmeckPhase.DOUBLE: partial(_bratworm_from, HeckmeckPhase.DOUBLE),
    HeckmeckPhase.CANNED: _canned,
    HeckmeckPhase.STEAL: _steal,
    HeckmeckPhase.RAVEN: partial(_bratworm_from, HeckmeckPhase.RAVEN),
}
