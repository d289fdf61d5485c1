"""The table of Pickomino between turns, and how a turn's end changes it (sheet 004; RULINGS 2.1, steps 4 and 5)."""

from enum import StrEnum
from typing import Final, NamedTuple

from games.catalogue.grill.aside import Aside
from games.catalogue.grill.tiles import (
    Stacks,
    places_by_tiles,
    tiles_highest,
    tiles_stacks_with,
    tiles_top_owner,
    tiles_worms,
)
from games.catalogue.pickomino.rules import ALL_TILES, TURN_CAP, PickominoRules
from games.from_fields import from_fields
from games.state import Outcome


class PickominoEnding(NamedTuple):
    """How the last turn ended. ``event`` is "take", "steal" or "bust"; ``why`` says what was missing in a bust."""

    event: str
    why: str  # "", "no_face", "no_worm" or "no_tile"
    seat: int
    aside: tuple[int, ...]
    rolled: str  # the roll that showed no new face, or ""
    total: int
    tile: int  # won; 0 if none
    victim: int  # robbed seat; -1 if none
    returned: int  # tile put back; 0 if none
    flipped: int  # bit mask of the tiles turned over


class PickominoBoard(NamedTuple):
    """The table: whose turn it is and its number, bit masks of the tiles on the grill and face down, stacks from bottom
    to top.
    """

    rules: PickominoRules
    seat: int
    turn: int  # number of the turn, from 1; 0 before the start player is known
    grill: int
    facedown: int
    stacks: Stacks
    last: PickominoEnding | None
    over: str  # why the game ended; "" while it goes on

    def rival_with(self, tile: int) -> int:
        """Return the other seat that has this tile on top, or -1."""
        owner = tiles_top_owner(self.stacks, tile)
        return -1 if owner == self.seat else owner

    def lower(self, total: int) -> int:
        """Return the tiles on the grill below ``total``, as a bit mask."""
        return self.grill & ((1 << total) - 1)

    def take(self, aside: Aside, tile: int) -> "PickominoBoard":
        """Return the board after the player has taken ``tile`` from the grill."""
        rules, seat, turn, grill, facedown, stacks, _, _ = self
        ending = _ending(("take", "", seat, aside.counts, "", aside.total, tile, -1, 0, 0))
        stacks = tiles_stacks_with(stacks, seat, (*stacks[seat], tile))
        return _next(rules, seat, turn, grill ^ (1 << tile), facedown, stacks, ending)

    def steal(self, aside: Aside) -> "PickominoBoard":
        """Return the board after the player has stolen the top tile that equals the total."""
        rules, seat, turn, grill, facedown, stacks, _, _ = self
        victim = self.rival_with(aside.total)
        ending = _ending(("steal", "", seat, aside.counts, "", aside.total, aside.total, victim, 0, 0))
        robbed = tiles_stacks_with(stacks, victim, stacks[victim][:-1])
        stacks = tiles_stacks_with(robbed, seat, (*stacks[seat], aside.total))
        return _next(rules, seat, turn, grill, facedown, stacks, ending)

    def bust(self, aside: Aside, why: str, rolled: str = "") -> "PickominoBoard":
        """Return the board after a failed turn: the top tile goes back, the highest is turned over (chapter
        "Restituire").
        """
        rules, seat, turn, grill, facedown, stacks, _, _ = self
        own = stacks[seat]
        returned = own[-1] if own else 0
        if returned:
            stacks = tiles_stacks_with(stacks, seat, own[:-1])
            grill |= 1 << returned
            flipped = _flipped(rules.short_variant, grill, returned)
        else:
            flipped = 1 << tiles_highest(grill) if rules.flip_without_return else 0
        ending = _ending(("bust", why, seat, aside.counts, rolled, aside.total, 0, -1, returned, flipped))
        return _next(rules, seat, turn, grill & ~flipped, facedown | flipped, stacks, ending)


_ending: Final = from_fields(PickominoEnding)
_board: Final = from_fields(PickominoBoard)


def _next(
    rules: PickominoRules, seat: int, turn: int, grill: int, facedown: int, stacks: Stacks, ending: PickominoEnding
) -> PickominoBoard:
    """Return the board after the turn: the next seat's turn, or the end."""
    players = rules.players
    if grill and turn < TURN_CAP * players:
        return _board((rules, (seat + 1) % players, turn + 1, grill, facedown, stacks, ending, ""))
    over = "turn_cap" if grill else "grill_empty"
    return _board((rules, seat, turn, grill, facedown, stacks, ending, over))


def pickomino_board_opening(rules: PickominoRules) -> PickominoBoard:
    """Return the board with all tiles on the grill. With a random start player, it is nobody's turn yet."""
    turn = 1 if rules.start == "seat0" else 0
    return PickominoBoard(rules, 0, turn, ALL_TILES, 0, ((),) * rules.players, None, "")


def _flipped(short_variant: str, grill: int, returned: int) -> int:
    """Return the tiles that are turned over once ``returned`` is back on ``grill``. By the sheet, this is the highest
    tile, unless it is the returned one.
    """
    back, top = 1 << returned, 1 << tiles_highest(grill)
    if short_variant == "off":
        return top & ~back
    if short_variant == "flip_highest_always":
        return top
    if short_variant == "returned_facedown_only":
        return back
    # If the returned tile counts as face down, only the others are searched for the highest.
    others = grill & ~back
    return back | (1 << tiles_highest(others) if others else 0)


def pickomino_board_standing(board: PickominoBoard) -> Outcome:
    """Return the result, ranked by ``places_by_tiles``."""
    return places_by_tiles(tuple(map(tiles_worms, board.stacks)), board.stacks, board.over)


class PickominoPhase(StrEnum):
    START = "start"  # chance draws the start player
    ROLL = "roll"  # chance rolls
    CHOOSE = "choose"
    DECIDE = "decide"
    STEAL = "steal"
    LOWER = "lower"  # only with the option ``lower_tile`` = "any_lower"
    OVER = "over"


class PickominoFields(NamedTuple):
    board: PickominoBoard
    aside: Aside
    phase: PickominoPhase
    rolled: str  # the roll, while the player chooses from it
    choices: tuple[str, ...]  # the player's legal actions; empty if chance acts
