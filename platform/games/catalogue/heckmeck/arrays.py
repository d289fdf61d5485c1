"""Heckmeck on a row of integers: the same rules as ``position``, for many games at once (sheet 001).

The table is in ``array_board``. The parts that Pickomino shares are in ``grill.arrays``.
"""

from typing import Any

from games.catalogue.grill.arrays import (
    ASIDE,
    ATTEMPT,
    DICE,
    GOLDEN,
    GOLDEN_KEY,
    GRILL,
    KIND,
    LEFT,
    LEFT_GOLDEN,
    LOW,
    PHASE,
    ROLL,
    ROLLED,
    ROLLS,
    SEAT,
    START_KEY,
    TURN,
    WORM,
    grill_array_clear_hand,
    grill_array_dice_dealt,
    grill_array_full,
    grill_array_highest,
    grill_array_lower_tiles,
    grill_array_pop,
    grill_array_push,
    grill_array_rival_with,
    grill_array_roll,
    grill_array_set_aside,
    grill_array_set_phase,
    grill_array_shows_new,
    grill_array_start_drawn,
    grill_array_tile_of,
    grill_array_want,
)
from games.catalogue.heckmeck.array_board import (
    ALL_TILES,
    ALWAYS,
    ASKED_CANNED,
    BOTH_LOW,
    CANNING,
    CAP,
    CHOOSING,
    DECIDING,
    DOUBLING,
    DRAWN,
    FAILING,
    GIVE,
    IGNORING,
    KEEPING,
    LEAVE_WEASEL,
    MANDATORY,
    OFFER,
    ON_TILES,
    OVER,
    PLACES,
    RAVENING,
    RETHROWN,
    ROLL_ON,
    ROLLING,
    SHOWN,
    SIDE,
    SPECIALISTS,
    STARTING,
    STEAL_IT,
    STEALING,
    SUPPLY,
    USE_CANNED,
    USE_GOLDEN,
    USE_WEASEL,
    USING,
    heckmeck_array_board_at_place,
    heckmeck_array_board_give_bratworm,
    heckmeck_array_board_has,
    heckmeck_array_board_keep_action,
    heckmeck_array_board_may_give,
    heckmeck_array_board_may_take,
    heckmeck_array_board_put,
    heckmeck_array_board_put_back,
    heckmeck_array_board_weasel_ready,
    heckmeck_array_board_worth,
)
from games.catalogue.heckmeck.rules import (
    BRATWORMS,
    CANNED_WORM,
    GOLDEN_DIE,
    HEN,
    NOBODY,
    RAVEN,
    SIDES,
)
from games.catalogue.heckmeck.turn import AGAIN
from games.in_numbers import ACTOR, SEATS, WANTED, IntegerRow, numbers_lot


def heckmeck_array_begin(row: IntegerRow) -> None:
    row[GRILL] = ALL_TILES
    row[SUPPLY] = BRATWORMS
    for specialist in range(SPECIALISTS):
        row[PLACES + specialist] = ON_TILES + 2 * specialist  # the tiles 11, 21, 23, 25, 27 and 29
    if row[DRAWN]:
        row[PHASE] = STARTING
        grill_array_want(row, START_KEY, 0)
    else:
        row[TURN] = 1
        heckmeck_array_start_turn(row)


def heckmeck_array_clear_all(row: IntegerRow) -> None:
    grill_array_clear_hand(row)
    row[SHOWN] = 0
    row[RETHROWN] = 0


def heckmeck_array_start_turn(row: IntegerRow) -> None:
    """Begin a turn, like ``heckmeck_position_next_turn``."""
    heckmeck_array_clear_all(row)
    if not heckmeck_array_board_has(row, GOLDEN_DIE):
        heckmeck_array_first_roll(row, 0)
    elif row[ALWAYS]:
        heckmeck_array_first_roll(row, 1)
    else:
        row[WANTED] = 0
        grill_array_set_phase(row, USING)


def heckmeck_array_first_roll(row: IntegerRow, golden: int) -> None:
    """Begin with a roll, for which the game always waits for a block."""
    row[LEFT] = DICE + golden
    row[GOLDEN] = LEFT_GOLDEN * golden
    row[PHASE] = ROLLING
    grill_array_roll(row)


def heckmeck_array_roll_dice(row: IntegerRow) -> None:
    row[PHASE] = ROLLING
    if grill_array_roll(row):
        heckmeck_array_white_dice_lie(row)


def heckmeck_array_deal(row: IntegerRow, block: Any) -> None:
    if row[PHASE] == STARTING:
        if grill_array_start_drawn(row, block):
            heckmeck_array_start_turn(row)
    elif row[KIND] == GOLDEN_KEY:
        heckmeck_array_golden_dealt(row, block)
    elif grill_array_dice_dealt(row, block):
        heckmeck_array_white_dice_lie(row)


def heckmeck_array_white_dice_lie(row: IntegerRow) -> None:
    if row[GOLDEN] == LEFT_GOLDEN:
        grill_array_want(row, GOLDEN_KEY, 0)
    else:
        heckmeck_array_choose(row)


def heckmeck_array_golden_dealt(row: IntegerRow, block: Any) -> None:
    """Roll the golden die, like ``turn.GoldenDice``."""
    side = numbers_lot(block[0], SIDES)
    if side < 0:
        grill_array_want(row, GOLDEN_KEY, row[ATTEMPT] + 1)
    else:
        row[WANTED] = 0
        face = row[SIDE + side]
        row[SHOWN] = 1 + face
        row[ROLLED + face] += 1
        heckmeck_array_choose(row)


def heckmeck_array_choose(row: IntegerRow) -> None:
    """Let the player choose from a roll, like ``heckmeck_position_thrown``."""
    if grill_array_shows_new(row) or heckmeck_array_board_weasel_ready(row):
        grill_array_set_phase(row, CHOOSING)
    else:
        heckmeck_array_bust(row)


def heckmeck_array_play(row: IntegerRow, action: int) -> None:
    phase = row[PHASE]
    if phase == CHOOSING:
        heckmeck_array_take_face(row, action)
    elif phase == DECIDING:
        if action == ROLL_ON:
            heckmeck_array_roll_dice(row)
        else:
            heckmeck_array_resolve(row)
    elif phase == USING:
        heckmeck_array_first_roll(row, 1 if action == USE_GOLDEN else 0)
    elif phase in (DOUBLING, RAVENING):
        heckmeck_array_board_give_bratworm(row, action - GIVE)
        heckmeck_array_after_bratworm(row, phase)
    elif phase == CANNING:
        if action == USE_CANNED:
            heckmeck_array_settle(row)
        else:
            heckmeck_array_bust(row)
    elif phase == STEALING:
        if action == STEAL_IT:
            heckmeck_array_steal(row)
        elif row[FAILING]:
            heckmeck_array_bust(row)
        else:
            heckmeck_array_take_lower(row)
    else:
        heckmeck_array_keep(row, action)


def heckmeck_array_take_face(row: IntegerRow, action: int) -> None:
    """Set aside a face, like ``HeckmeckPosition._choose``."""
    if action == LEAVE_WEASEL:
        heckmeck_array_bust(row)
        return
    shown = row[SHOWN]
    row[SHOWN] = 0
    if action == USE_WEASEL:
        row[RETHROWN] = row[ROLLS] + 1
        row[ROLL] = row[ROLLS] + AGAIN
        heckmeck_array_roll_dice(row)
        return
    if row[GOLDEN] == LEFT_GOLDEN and shown == action + 1:
        row[GOLDEN] = shown
    grill_array_set_aside(row, action)
    if action == 0 and row[ASIDE] > 1:
        heckmeck_array_bratworm(row, DOUBLING)
    else:
        heckmeck_array_go_on(row)


def heckmeck_array_go_on(row: IntegerRow) -> None:
    if grill_array_full(row):
        heckmeck_array_resolve(row)
    else:
        grill_array_set_phase(row, DECIDING)


def heckmeck_array_bratworm(row: IntegerRow, phase: int) -> None:
    """Give a bratworm, like ``heckmeck_position_bratworm``."""
    if row[SUPPLY]:
        heckmeck_array_board_give_bratworm(row, NOBODY)
    else:
        number, giver = 0, NOBODY
        for seat in range(row[SEATS]):
            if heckmeck_array_board_may_give(row, seat):
                number += 1
                giver = seat
        if number > 1:
            grill_array_set_phase(row, phase)
            return
        if number:
            heckmeck_array_board_give_bratworm(row, giver)
    heckmeck_array_after_bratworm(row, phase)


def heckmeck_array_after_bratworm(row: IntegerRow, phase: int) -> None:
    if phase == DOUBLING:
        heckmeck_array_go_on(row)
    else:
        heckmeck_array_board_put(row, RAVEN)
        heckmeck_array_end_turn(row)


def heckmeck_array_resolve(row: IntegerRow) -> None:
    """Resolve the turn, like ``heckmeck_position_resolve``."""
    if row[ASIDE + WORM]:
        heckmeck_array_settle(row)
    elif not heckmeck_array_board_has(row, CANNED_WORM):
        heckmeck_array_bust(row)
    elif row[ASKED_CANNED]:
        grill_array_set_phase(row, CANNING)
    else:
        heckmeck_array_settle(row)


def heckmeck_array_settle(row: IntegerRow) -> None:
    """Settle the turn, like ``heckmeck_position_settle``."""
    tile = grill_array_tile_of(heckmeck_array_board_worth(row))
    if heckmeck_array_board_may_take(row, tile):
        heckmeck_array_take_tile(row, tile)
    elif tile < LOW or grill_array_rival_with(row, tile) < 0:
        heckmeck_array_take_lower(row)
    elif row[MANDATORY]:
        heckmeck_array_steal(row)
    else:
        grill_array_set_phase(row, STEALING)


def heckmeck_array_take_lower(row: IntegerRow) -> None:
    lower = grill_array_lower_tiles(row, heckmeck_array_board_worth(row))
    if lower:
        heckmeck_array_take_tile(row, grill_array_highest(lower))
    else:
        heckmeck_array_bust(row)


def heckmeck_array_take_tile(row: IntegerRow, tile: int) -> None:
    """Take a tile, like ``heckmeck_position_taken``."""
    specialist = heckmeck_array_board_at_place(row, ON_TILES + tile)
    row[GRILL] ^= 1 << tile
    grill_array_push(row, tile)
    if specialist == RAVEN:
        heckmeck_array_bratworm(row, RAVENING)
    else:
        heckmeck_array_gain(row, specialist)


def heckmeck_array_steal(row: IntegerRow) -> None:
    """Steal a tile, like ``heckmeck_position_stolen``."""
    victim = grill_array_rival_with(row, grill_array_tile_of(heckmeck_array_board_worth(row)))
    specialist = heckmeck_array_board_at_place(row, victim)
    if specialist != HEN:
        grill_array_push(row, grill_array_pop(row, victim))
    heckmeck_array_gain(row, specialist)


def heckmeck_array_gain(row: IntegerRow, specialist: int) -> None:
    """Gain a specialist, like ``heckmeck_position_gain``."""
    if specialist == NOBODY:
        heckmeck_array_end_turn(row)
    elif heckmeck_array_board_at_place(row, row[SEAT]) == NOBODY:
        row[PLACES + specialist] = row[SEAT]
        heckmeck_array_end_turn(row)
    else:
        row[OFFER] = specialist
        grill_array_set_phase(row, KEEPING)


def heckmeck_array_keep(row: IntegerRow, action: int) -> None:
    """Keep a specialist, like ``HeckmeckPosition._keep``."""
    own, offer = heckmeck_array_board_at_place(row, row[SEAT]), row[OFFER]
    if action == heckmeck_array_board_keep_action(own):
        heckmeck_array_board_put(row, offer)
    else:
        row[PLACES + offer] = row[SEAT]
        heckmeck_array_board_put(row, own)
    heckmeck_array_end_turn(row)


def heckmeck_array_bust(row: IntegerRow) -> None:
    heckmeck_array_board_put_back(row)
    heckmeck_array_end_turn(row)


def heckmeck_array_end_turn(row: IntegerRow) -> None:
    """Go to the next seat's turn, or end the game."""
    on = row[GRILL] & ~BOTH_LOW if row[IGNORING] else row[GRILL]
    if on and row[TURN] < CAP * row[SEATS]:
        row[SEAT] = (row[SEAT] + 1) % row[SEATS]
        row[TURN] += 1
        heckmeck_array_start_turn(row)
    else:
        heckmeck_array_clear_all(row)
        row[PHASE] = OVER
        row[ACTOR] = -1
