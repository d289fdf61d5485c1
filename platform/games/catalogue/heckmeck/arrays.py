"""The anniversary edition on a row of integers: the same rules as ``position`` for many games at once (sheet 001).

The table is in ``array_board``; what it shares with Pickomino in ``grill.arrays``.
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
    ask,
    clear_hand,
    dice_dealt,
    full,
    highest,
    lower_tiles,
    pop,
    push,
    rival_with,
    roll,
    set_aside,
    shows_new,
    start_drawn,
    tile_of,
    want,
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
    at_place,
    give_bratworm,
    has,
    keep_action,
    may_give,
    may_take,
    put,
    put_back,
    weasel_ready,
    worth,
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
from games.in_numbers import ACTOR, SEATS, WANTED, IntegerRow, lot


def begin(row: IntegerRow) -> None:
    row[GRILL] = ALL_TILES
    row[SUPPLY] = BRATWORMS
    for specialist in range(SPECIALISTS):
        row[PLACES + specialist] = ON_TILES + 2 * specialist  # the 11, 21, 23, 25, 27 and 29
    if row[DRAWN]:
        row[PHASE] = STARTING
        want(row, START_KEY, 0)
    else:
        row[TURN] = 1
        start_turn(row)


def clear_all(row: IntegerRow) -> None:
    clear_hand(row)
    row[SHOWN] = 0
    row[RETHROWN] = 0


def start_turn(row: IntegerRow) -> None:
    """See ``position.next_turn``."""
    clear_all(row)
    if not has(row, GOLDEN_DIE):
        first_roll(row, 0)
    elif row[ALWAYS]:
        first_roll(row, 1)
    else:
        row[WANTED] = 0
        ask(row, USING)


def first_roll(row: IntegerRow, golden: int) -> None:
    """Begin with a roll, which always waits for its block."""
    row[LEFT] = DICE + golden
    row[GOLDEN] = LEFT_GOLDEN * golden
    row[PHASE] = ROLLING
    roll(row)


def roll_dice(row: IntegerRow) -> None:
    row[PHASE] = ROLLING
    if roll(row):
        white_dice_lie(row)


def deal(row: IntegerRow, block: Any) -> None:
    if row[PHASE] == STARTING:
        if start_drawn(row, block):
            start_turn(row)
    elif row[KIND] == GOLDEN_KEY:
        golden_dealt(row, block)
    elif dice_dealt(row, block):
        white_dice_lie(row)


def white_dice_lie(row: IntegerRow) -> None:
    if row[GOLDEN] == LEFT_GOLDEN:
        want(row, GOLDEN_KEY, 0)
    else:
        choose(row)


def golden_dealt(row: IntegerRow, block: Any) -> None:
    """See ``turn.GoldenDice``."""
    side = lot(block[0], SIDES)
    if side < 0:
        want(row, GOLDEN_KEY, row[ATTEMPT] + 1)
    else:
        row[WANTED] = 0
        face = row[SIDE + side]
        row[SHOWN] = 1 + face
        row[ROLLED + face] += 1
        choose(row)


def choose(row: IntegerRow) -> None:
    """See ``position.thrown``."""
    if shows_new(row) or weasel_ready(row):
        ask(row, CHOOSING)
    else:
        bust(row)


def play(row: IntegerRow, action: int) -> None:
    phase = row[PHASE]
    if phase == CHOOSING:
        take_face(row, action)
    elif phase == DECIDING:
        if action == ROLL_ON:
            roll_dice(row)
        else:
            resolve(row)
    elif phase == USING:
        first_roll(row, 1 if action == USE_GOLDEN else 0)
    elif phase in (DOUBLING, RAVENING):
        give_bratworm(row, action - GIVE)
        after_bratworm(row, phase)
    elif phase == CANNING:
        if action == USE_CANNED:
            settle(row)
        else:
            bust(row)
    elif phase == STEALING:
        if action == STEAL_IT:
            steal(row)
        elif row[FAILING]:
            bust(row)
        else:
            take_lower(row)
    else:
        keep(row, action)


def take_face(row: IntegerRow, action: int) -> None:
    """See ``HeckmeckPosition._choose``."""
    if action == LEAVE_WEASEL:
        bust(row)
        return
    shown = row[SHOWN]
    row[SHOWN] = 0
    if action == USE_WEASEL:
        row[RETHROWN] = row[ROLLS] + 1
        row[ROLL] = row[ROLLS] + AGAIN
        roll_dice(row)
        return
    if row[GOLDEN] == LEFT_GOLDEN and shown == action + 1:
        row[GOLDEN] = shown
    set_aside(row, action)
    if action == 0 and row[ASIDE] > 1:
        bratworm(row, DOUBLING)
    else:
        go_on(row)


def go_on(row: IntegerRow) -> None:
    if full(row):
        resolve(row)
    else:
        ask(row, DECIDING)


def bratworm(row: IntegerRow, phase: int) -> None:
    """See ``position.bratworm``."""
    if row[SUPPLY]:
        give_bratworm(row, NOBODY)
    else:
        number, giver = 0, NOBODY
        for seat in range(row[SEATS]):
            if may_give(row, seat):
                number += 1
                giver = seat
        if number > 1:
            ask(row, phase)
            return
        if number:
            give_bratworm(row, giver)
    after_bratworm(row, phase)


def after_bratworm(row: IntegerRow, phase: int) -> None:
    if phase == DOUBLING:
        go_on(row)
    else:
        put(row, RAVEN)
        end_turn(row)


def resolve(row: IntegerRow) -> None:
    """See ``position.resolve``."""
    if row[ASIDE + WORM]:
        settle(row)
    elif not has(row, CANNED_WORM):
        bust(row)
    elif row[ASKED_CANNED]:
        ask(row, CANNING)
    else:
        settle(row)


def settle(row: IntegerRow) -> None:
    """See ``position.settle``."""
    tile = tile_of(worth(row))
    if may_take(row, tile):
        take_tile(row, tile)
    elif tile < LOW or rival_with(row, tile) < 0:
        take_lower(row)
    elif row[MANDATORY]:
        steal(row)
    else:
        ask(row, STEALING)


def take_lower(row: IntegerRow) -> None:
    lower = lower_tiles(row, worth(row))
    if lower:
        take_tile(row, highest(lower))
    else:
        bust(row)


def take_tile(row: IntegerRow, tile: int) -> None:
    """See ``position.taken``."""
    specialist = at_place(row, ON_TILES + tile)
    row[GRILL] ^= 1 << tile
    push(row, tile)
    if specialist == RAVEN:
        bratworm(row, RAVENING)
    else:
        gain(row, specialist)


def steal(row: IntegerRow) -> None:
    """See ``position.stolen``."""
    victim = rival_with(row, tile_of(worth(row)))
    specialist = at_place(row, victim)
    if specialist != HEN:
        push(row, pop(row, victim))
    gain(row, specialist)


def gain(row: IntegerRow, specialist: int) -> None:
    """See ``position.gain``."""
    if specialist == NOBODY:
        end_turn(row)
    elif at_place(row, row[SEAT]) == NOBODY:
        row[PLACES + specialist] = row[SEAT]
        end_turn(row)
    else:
        row[OFFER] = specialist
        ask(row, KEEPING)


def keep(row: IntegerRow, action: int) -> None:
    """See ``HeckmeckPosition._keep``."""
    own, offer = at_place(row, row[SEAT]), row[OFFER]
    if action == keep_action(own):
        put(row, offer)
    else:
        row[PLACES + offer] = row[SEAT]
        put(row, own)
    end_turn(row)


def bust(row: IntegerRow) -> None:
    put_back(row)
    end_turn(row)


def end_turn(row: IntegerRow) -> None:
    """Go to the next seat's turn, or end the game."""
    on = row[GRILL] & ~BOTH_LOW if row[IGNORING] else row[GRILL]
    if on and row[TURN] < CAP * row[SEATS]:
        row[SEAT] = (row[SEAT] + 1) % row[SEATS]
        row[TURN] += 1
        start_turn(row)
    else:
        clear_all(row)
        row[PHASE] = OVER
        row[ACTOR] = -1
