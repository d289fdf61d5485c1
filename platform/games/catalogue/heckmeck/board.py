"""The table of Heckmeck, and how a won or failed turn changes it (sheet 001; RULINGS 2.2)."""

from typing import Final, NamedTuple

from games.catalogue.grill.aside import Aside
from games.catalogue.grill.tiles import (
    Stacks,
    places_by_tiles,
    tiles_highest,
    tiles_mask_of,
    tiles_stacks_with,
    tiles_top_owner,
    tiles_worms,
)
from games.catalogue.heckmeck.rules import (
    ALL_TILES,
    APPLE,
    APPLE_WORMS,
    BRATWORMS,
    HEN,
    LOW_TILES,
    NOBODY,
    OUT,
    SET_UP,
    TURN_CAP,
    WEASEL,
    HeckmeckRules,
)
from games.catalogue.heckmeck.turn import Hand, HeckmeckPhase
from games.from_fields import from_fields
from games.state import Outcome

LOW: int = tiles_mask_of(LOW_TILES)


class TileMove(NamedTuple):
    """A specialist's move between two places: a tile, a seat or OUT."""

    specialist: int
    here: int
    there: int


class HeckmeckEnding(NamedTuple):
    """How the last turn ended. ``event`` is "take", "steal" or "bust"; ``why`` says what was missing in a bust."""

    event: str
    why: str  # "", "no_face", "no_worm", "no_tile" or "declined"
    seat: int
    aside: Aside
    golden: str  # see ``Hand``
    rolled: str  # the roll that showed no new face, or ""
    total: int  # including the canned worm if it counts
    tile: int  # won; 0 if none
    victim: int  # robbed seat; NOBODY if none
    returned: int  # tile put back; 0 if none
    flipped: int  # tile turned over; 0 if none
    moved: tuple[TileMove, ...]  # in order


class HeckmeckBoard(NamedTuple):
    """The table: bit masks of the tiles on the grill and face down, stacks from bottom to top, and ``places`` of the
    six specialists.
    """

    rules: HeckmeckRules
    seat: int
    turn: int  # number of the turn, from 1; 0 before the start player is known
    grill: int
    facedown: int
    stacks: Stacks
    places: tuple[int, ...]  # a tile, a seat (seats are below all tiles), or OUT
    supply: int  # bratworms that nobody has
    bratworms: tuple[int, ...]
    last: HeckmeckEnding | None
    over: str  # why the game ended; "" while it goes on

    def at(self, place: int) -> int:
        """Return the specialist on this tile or of this seat, or NOBODY. A tile or seat never has two."""
        return self.places.index(place) if place in self.places else NOBODY

    def has(self, specialist: int) -> bool:
        """Tell whether the player has the specialist."""
        return self.places[specialist] == self.seat

    def may_take(self, tile: int) -> bool:
        """Tell whether the tile lies on the grill and the player may take it with this exact total."""
        if not self.grill >> tile & 1:
            return False
        if tile not in LOW_TILES or not self.rules.low_tiles_one_per_player:
            return True
        return not any(low in self.stacks[self.seat] for low in LOW_TILES)

    def rival_with(self, tile: int) -> int:
        """Return the other seat whose top tile this is and may be stolen, or NOBODY."""
        owner = tiles_top_owner(self.stacks, tile)
        return NOBODY if owner == self.seat or tile in LOW_TILES else owner

    def lower(self, total: int) -> int:
        """Return the highest tile on the grill below ``total``, without 11 and 13, or 0."""
        lower = self.grill & ~LOW & ((1 << total) - 1)
        return tiles_highest(lower) if lower else 0

    def take(self, hand: Hand, total: int, tile: int) -> "HeckmeckBoard":
        """Return the board after the player has taken ``tile`` from the grill. A specialist on it stays there."""
        rules, seat, turn, grill, facedown, stacks, *others, _, over = self
        stacks = tiles_stacks_with(stacks, seat, (*stacks[seat], tile))
        ending = self._ending(hand, "take", total, tile=tile)
        return _board((rules, seat, turn, grill ^ (1 << tile), facedown, stacks, *others, ending, over))

    def steal(self, hand: Hand, total: int) -> "HeckmeckBoard":
        """Return the board after the player has robbed the seat with the top tile ``total``. If that seat has the hen,
        only the hen can be taken.
        """
        victim = self.rival_with(total)
        if self.places[HEN] == victim:
            return self._replace(last=self._ending(hand, "steal", total, victim=victim))
        robbed = tiles_stacks_with(self.stacks, victim, self.stacks[victim][:-1])
        stacks = tiles_stacks_with(robbed, self.seat, (*self.stacks[self.seat], total))
        return self._replace(last=self._ending(hand, "steal", total, tile=total, victim=victim), stacks=stacks)

    def bust(self, hand: Hand, why: str, total: int, rolled: str = "") -> "HeckmeckBoard":
        """Return the board after a failed turn.

        A player with the hen gives up the hen alone. Otherwise the player's top tile goes back to the grill, and a tile
        is turned over. Then the player's specialist is placed. If a specialist lay on the turned tile, it is placed
        last.
        """
        own, stack = self.at(self.seat), self.stacks[self.seat]
        board = _board((*self[:-2], self._ending(hand, "bust", total, why=why, rolled=rolled), self.over))
        if own == HEN:
            return board.place(HEN) if stack else board
        displaced = NOBODY
        if stack:
            grill = self.grill | 1 << stack[-1]
            flipped = tiles_highest(grill) if tiles_highest(grill) != stack[-1] else 0
            displaced = self.at(flipped) if flipped else NOBODY
            board = board._returned(stack, grill, flipped)
        if own != NOBODY:
            board = board.place(own)
        return board.place(displaced) if displaced != NOBODY else board

    def place(self, specialist: int) -> "HeckmeckBoard":
        """Put a specialist on the lowest free tile of the grill (PLACE), or out of the game if there is none."""
        free = self.grill & ~tiles_mask_of(place for place in self.places if place > NOBODY)
        return self.move(specialist, (free & -free).bit_length() - 1 if free else OUT)

    def move(self, specialist: int, there: int) -> "HeckmeckBoard":
        """Return the board after a specialist has moved to a tile, a seat or OUT; the last turn's ending lists the
        move.
        """
        move = TileMove(specialist, self.places[specialist], there)
        places = (*self.places[:specialist], there, *self.places[specialist + 1 :])
        last = self.last and self.last._replace(moved=(*self.last.moved, move))
        return self._replace(places=places, last=last)

    def bratworm_givers(self) -> tuple[int, ...]:
        """Return the other seats that may have to give a bratworm once the supply is empty. The hen's owner never gives
        one.
        """
        safe = (self.seat, self.places[HEN])
        return tuple([seat for seat, bratworms in enumerate(self.bratworms) if bratworms and seat not in safe])

    def bratworm(self, giver: int) -> "HeckmeckBoard":
        """Return the board after the player has got a bratworm from the seat ``giver``, or from the supply if it is
        NOBODY.
        """
        *table, supply, bratworms, last, over = self
        has = list(bratworms)
        has[self.seat] += 1
        if giver == NOBODY:
            supply -= 1
        else:
            has[giver] -= 1
        return _board((*table, supply, tuple(has), last, over))

    def next(self) -> "HeckmeckBoard":
        """Return the board after the turn with all gains settled: the next seat's turn, or the end."""
        rules, players = self.rules, self.rules.players
        if not self.grill & ~(LOW if rules.end_ignores_11_13 else 0):
            return self._replace(over="grill_empty")
        if self.turn == TURN_CAP * players:
            return self._replace(over="turn_cap")
        return _board((rules, (self.seat + 1) % players, self.turn + 1, *self[3:]))

    def _returned(self, stack: tuple[int, ...], grill: int, flipped: int) -> "HeckmeckBoard":
        gone = 1 << flipped if flipped else 0
        return self._replace(
            grill=grill & ~gone,
            facedown=self.facedown | gone,
            stacks=tiles_stacks_with(self.stacks, self.seat, stack[:-1]),
            last=self.last and self.last._replace(returned=stack[-1], flipped=flipped),
        )

    def _ending(
        self,
        hand: Hand,
        event: str,
        total: int,
        *,
        why: str = "",
        rolled: str = "",
        tile: int = 0,
        victim: int = NOBODY,
    ) -> HeckmeckEnding:
        aside, golden, _ = hand
        return _ending((event, why, self.seat, aside, golden, rolled, total, tile, victim, 0, 0, ()))


_ending: Final = from_fields(HeckmeckEnding)
_board: Final = from_fields(HeckmeckBoard)


def heckmeck_board_opening(rules: HeckmeckRules) -> HeckmeckBoard:
    """Return the board with all tiles on the grill and the specialists on theirs. With a random start player, it is
    nobody's turn yet.
    """
    turn, players = 1 if rules.start == "seat0" else 0, rules.players
    return HeckmeckBoard(rules, 0, turn, ALL_TILES, 0, ((),) * players, SET_UP, BRATWORMS, (0,) * players, None, "")


def heckmeck_board_place_text(place: int) -> str:
    """Return "tile 11", "seat 2" or "out"."""
    if place == OUT:
        return "out"
    return f"seat {place}" if place < LOW_TILES[0] else f"tile {place}"


def heckmeck_board_worms_of(board: HeckmeckBoard) -> tuple[int, ...]:
    """Return for each seat the worms on its tiles, its bratworms, and three for the apple."""
    found = [tiles_worms(stack) + bratworms for stack, bratworms in zip(board.stacks, board.bratworms, strict=True)]
    owner = board.places[APPLE]
    if 0 <= owner < len(found):
        found[owner] += APPLE_WORMS
    return tuple(found)


def heckmeck_board_standing(board: HeckmeckBoard) -> Outcome:
    """Return the result, ranked by ``places_by_tiles``."""
    return places_by_tiles(heckmeck_board_worms_of(board), board.stacks, board.over)


class HeckmeckFields(NamedTuple):
    board: HeckmeckBoard
    hand: Hand
    phase: HeckmeckPhase
    rolled: str  # the roll, while the player chooses from it
    choices: tuple[str, ...]  # the player's legal actions; empty if chance acts

    @property
    def weasel_ready(self) -> bool:
        return heckmeck_board_weasel_ready(self.board, self.hand)


def heckmeck_board_weasel_ready(board: HeckmeckBoard, hand: Hand) -> bool:
    """Tell whether the weasel may throw a roll of this turn again: the player has it and has not used it yet."""
    return board.has(WEASEL) and hand.rethrown < 0
