"""Karteneck on a row of integers: the same rules as ``position``, for many games at once (sheets 000 and 002).

A pile is two integers: five bits with the count of each number, and a bit mask of worms. Portions are indexes into
``VALUES``. ``games.in_numbers`` documents the start of every row.
"""

from collections.abc import Mapping
from typing import Any, Final

from games.catalogue.karteneck.cards import (
    CARDS_EACH,
    DECK_SIZE,
    HAND,
    IN_THE_BOX,
    MANY,
    PORTIONS,
    WHOLE_DECK,
    WIDTH,
    WORM_VALUE,
    WORMS_AT,
)
from games.catalogue.karteneck.portions import VALUES
from games.in_numbers import ACTOR, SEATS, SETTINGS, WANTED, IntegerRow, numbers_first_left, numbers_lot

DRAWN_START, STEAL_STARTS, EAGER = range(SETTINGS, SETTINGS + 3)
WORTH: Final = EAGER + 1  # worms by portion
PHASE, SEAT, ROUND, DUE, TAG, STARTER, PAGE, UNSEEN, GRILL_SIZE = range(WORTH + len(VALUES), WORTH + len(VALUES) + 9)
GRILL: Final = GRILL_SIZE + 1  # in ascending order
DECK: Final = GRILL + 6  # a pile, like every entry from here to the displays
DISCARD: Final = DECK + 2
HANDS: Final = DISCARD + 2  # by seat
DISPLAYS: Final = HANDS + 12  # by seat
PASSED: Final = DISPLAYS + 12  # by seat, like every entry from here on
DRAWN: Final = PASSED + 6  # cards drawn in the whole game
HEIGHTS: Final = DRAWN + 6
STACKS: Final = HEIGHTS + 6  # from bottom to top

# The indexes of KarteneckPhase.
STARTING, DEALING, REVEALING, TURN, WORMS, DRAWING, OVER = range(7)
VALID, INVALID, SHARED = 1, 2, 3  # how a seat has passed
NUMBERS: Final = 5
TAGS: Final = 25
COUNT: Final = len(PORTIONS)
ZEROS: Final = COUNT - len(VALUES) + 1  # portions of the lowest value; each other value has one portion
FIRST_VALUE: Final = VALUES[1]
ALL_NUMBERS: Final = WHOLE_DECK & (1 << WORMS_AT) - 1
ALL_WORMS: Final = WHOLE_DECK >> WORMS_AT
ROUNDS: Final = (0, 0, *((COUNT - left) // players for players, left in IN_THE_BOX.items()))  # by number of players
# Numbers of actions; ALSO is the action for tag 1
PASS, STEAL, FIRST_NUMBER, FIRST_WORM, ALSO, DONE = 0, 1, 2, 87, 111, 136
HAND_KEY, PORTION_KEY, START_KEY = range(3)
KEYED: Final = 128  # more cards than a seat draws; used in the codes of keys


def karteneck_array_width(players: int) -> int:
    return STACKS + COUNT * players


def karteneck_array_settings(options: Mapping[str, Any]) -> tuple[int, ...]:
    drawn, eager = options["start"] == "random", options["reshuffle"] == "eager"
    return int(drawn), int(options["start_counts_steal"]), int(eager), *options["worms"]


def karteneck_array_key(code: int) -> str:
    rest, small = divmod(code - 1, 8)
    rest, number = divmod(rest, KEYED)
    page, kind = divmod(rest, 3)
    return (f"hand/{small}/{number}", f"portion/{number}/{small}", "pick/start")[kind] + f"/{page}"


def karteneck_array_want(row: IntegerRow, phase: int, page: int) -> None:
    """Request the block for a card, a portion or the start player."""
    kind, number, small = HAND_KEY, row[DRAWN + row[SEAT]], row[SEAT]
    if phase == REVEALING:
        kind, number, small = PORTION_KEY, row[ROUND], row[GRILL_SIZE]
    elif phase == STARTING:
        kind, number, small = START_KEY, 0, 0
    row[PHASE] = phase
    row[PAGE] = page
    row[WANTED] = 1 + ((page * 3 + kind) * KEYED + number) * 8 + small


def karteneck_array_begin(row: IntegerRow) -> None:
    row[DECK] = ALL_NUMBERS
    row[DECK + 1] = ALL_WORMS
    row[UNSEEN] = (1 << COUNT) - 1
    row[ROUND] = 1
    row[DUE] = HAND
    karteneck_array_want(row, STARTING if row[DRAWN_START] else DEALING, 0)


def karteneck_array_deal(row: IntegerRow, block: Any) -> None:
    phase = row[PHASE]
    if phase == STARTING:
        found = numbers_lot(block[0], row[SEATS])
    elif phase == REVEALING:
        found = numbers_first_left(block, COUNT, row[UNSEEN])
    else:
        found = karteneck_array_first_card(row, block)
    if found < 0:
        karteneck_array_want(row, phase, row[PAGE] + 1)
    elif phase == STARTING:
        row[STARTER] = found
        karteneck_array_want(row, DEALING, 0)
    elif phase == REVEALING:
        karteneck_array_reveal(row, found)
    elif phase == DEALING:
        karteneck_array_draw(row, found)
        karteneck_array_deal_on(row)
    else:
        karteneck_array_draw(row, found)
        if row[EAGER]:
            karteneck_array_refill(row)
        karteneck_array_draw_on(row, row[DUE] - 1)


def karteneck_array_first_card(row: IntegerRow, block: Any) -> int:
    """Return the card of the deck that a block draws, -1 if the block names none: 0 to 4 are numbers, then worms."""
    for byte in block:
        if byte < 256 - 256 % DECK_SIZE:
            card = int(byte) % DECK_SIZE
            worm = card - NUMBERS * CARDS_EACH
            if worm >= 0:
                if row[DECK + 1] >> worm & 1:
                    return NUMBERS + worm
            elif card % CARDS_EACH < karteneck_array_many(row[DECK], card // CARDS_EACH):
                return card // CARDS_EACH
    return -1


def karteneck_array_many(numbers: int, number: int) -> int:
    return numbers >> WIDTH * number & MANY


def karteneck_array_draw(row: IntegerRow, card: int) -> None:
    """Move a card from the deck to the seat's hand."""
    pile, one = (0, 1 << WIDTH * card) if card < NUMBERS else (1, 1 << card - NUMBERS)
    row[DECK + pile] -= one
    row[HANDS + 2 * row[SEAT] + pile] += one
    row[DRAWN + row[SEAT]] += 1


def karteneck_array_deal_on(row: IntegerRow) -> None:
    """Deal six cards to each seat in turn, then reveal the first grill."""
    row[DUE] -= 1
    if row[DUE]:
        karteneck_array_want(row, DEALING, 0)
    elif row[SEAT] + 1 < row[SEATS]:
        row[SEAT] += 1
        row[DUE] = HAND
        karteneck_array_want(row, DEALING, 0)
    else:
        karteneck_array_want(row, REVEALING, 0)


def karteneck_array_reveal(row: IntegerRow, portion: int) -> None:
    """Put a portion on the grill; among equal portions, the last unseen one. Begin the round once there are as many
    portions as players.
    """
    if portion < ZEROS:
        portion = ZEROS - 1
        while not row[UNSEEN] >> portion & 1:
            portion -= 1
    row[UNSEEN] ^= 1 << portion
    value, at = max(0, portion - ZEROS + 1), row[GRILL_SIZE]
    while at and row[GRILL + at - 1] > value:
        row[GRILL + at] = row[GRILL + at - 1]
        at -= 1
    row[GRILL + at] = value
    row[GRILL_SIZE] += 1
    if row[GRILL_SIZE] < row[SEATS]:
        karteneck_array_want(row, REVEALING, 0)
    else:
        karteneck_array_begin_turn(row, row[STARTER])


def karteneck_array_begin_turn(row: IntegerRow, seat: int) -> None:
    row[WANTED] = 0
    row[PHASE] = TURN
    row[SEAT] = seat
    row[ACTOR] = seat


def karteneck_array_refill(row: IntegerRow) -> None:
    """Make the discards the deck if the deck is empty."""
    if row[DECK] == 0 and row[DECK + 1] == 0:
        row[DECK] = row[DISCARD]
        row[DECK + 1] = row[DISCARD + 1]
        row[DISCARD] = 0
        row[DISCARD + 1] = 0


def karteneck_array_draw_on(row: IntegerRow, due: int) -> None:
    """Draw the due cards, like ``karteneck_position_drawing_cards``."""
    row[DUE] = due
    if due:
        karteneck_array_refill(row)
        if row[DECK] or row[DECK + 1]:
            karteneck_array_want(row, DRAWING, 0)
            return
    seat = (row[SEAT] + 1) % row[SEATS]
    while row[PASSED + seat]:
        seat = (seat + 1) % row[SEATS]
    karteneck_array_begin_turn(row, seat)


def karteneck_array_play(row: IntegerRow, action: int) -> None:
    seat = row[SEAT]
    if action == PASS:
        karteneck_array_pass_on(row, -1)
    elif action == STEAL:
        karteneck_array_pass_on(row, karteneck_array_victim(row))
    elif action == DONE:
        karteneck_array_draw_on(row, 1)
    elif action < FIRST_WORM:
        face, count = (action - FIRST_NUMBER) // CARDS_EACH, (action - FIRST_NUMBER) % CARDS_EACH + 1
        row[HANDS + 2 * seat] -= count << WIDTH * face
        row[DISPLAYS + 2 * seat] += count << WIDTH * face
        karteneck_array_draw_on(row, 1)
    else:
        worm = action - ALSO if row[PHASE] == WORMS else action - FIRST_WORM
        row[HANDS + 2 * seat + 1] ^= 1 << worm
        row[DISPLAYS + 2 * seat + 1] ^= 1 << worm
        row[TAG] = worm
        row[PHASE] = WORMS


def karteneck_array_total(row: IntegerRow, seat: int) -> int:
    """Return the sum of a display."""
    sum_of, worms = 0, row[DISPLAYS + 2 * seat + 1]
    for number in range(NUMBERS):
        sum_of += (number + 1) * karteneck_array_many(row[DISPLAYS + 2 * seat], number)
    return sum_of + WORM_VALUE * karteneck_array_ones(worms)


def karteneck_array_ones(mask: int) -> int:
    """Return the number of bits that are set."""
    number = 0
    while mask:
        mask &= mask - 1
        number += 1
    return number


def karteneck_array_victim(row: IntegerRow) -> int:
    """Return the seat that can be robbed, like ``KarteneckPosition.victim``."""
    seat = row[SEAT]
    if row[DISPLAYS + 2 * seat + 1] == 0:
        return -1
    value = karteneck_array_total(row, seat) - FIRST_VALUE + 1
    for other in range(row[SEATS]):
        height = row[HEIGHTS + other]
        if value > 0 and other != seat and height and row[STACKS + COUNT * other + height - 1] == value:
            return other
    return -1


def karteneck_array_push(row: IntegerRow, seat: int, value: int) -> None:
    row[STACKS + COUNT * seat + row[HEIGHTS + seat]] = value
    row[HEIGHTS + seat] += 1


def karteneck_array_discard(row: IntegerRow, seat: int) -> None:
    """Discard a display."""
    for pile in range(2):
        row[DISCARD + pile] += row[DISPLAYS + 2 * seat + pile]
        row[DISPLAYS + 2 * seat + pile] = 0


def karteneck_array_pass_on(row: IntegerRow, robbed: int) -> None:
    """Pass, like ``karteneck_position_passing``."""
    seat = row[SEAT]
    if row[DISPLAYS + 2 * seat + 1]:
        row[PASSED + seat] = VALID
        if robbed >= 0:
            row[HEIGHTS + robbed] -= 1
            karteneck_array_push(row, seat, row[STACKS + COUNT * robbed + row[HEIGHTS + robbed]])
            if row[STEAL_STARTS]:
                row[STARTER] = seat
    else:
        row[PASSED + seat] = INVALID
        row[STARTER] = seat
        karteneck_array_push(row, seat, row[GRILL])
        row[GRILL_SIZE] -= 1
        for at in range(row[GRILL_SIZE]):
            row[GRILL + at] = row[GRILL + at + 1]
        karteneck_array_discard(row, seat)
    for other in range(row[SEATS]):
        if row[PASSED + other] == 0:
            karteneck_array_draw_on(row, 2)
            return
    karteneck_array_share(row)


def karteneck_array_share(row: IntegerRow) -> None:
    """Share the menu, like ``karteneck_position_sharing``."""
    while row[GRILL_SIZE]:
        most, best = -1, 0
        for seat in range(row[SEATS]):
            if row[PASSED + seat] == VALID:
                # Tags decide between equal totals; a mask with the higher worm is the larger integer.
                sum_of = karteneck_array_total(row, seat)
                other = row[DISPLAYS + 2 * best + 1]
                if sum_of > most or (sum_of == most and row[DISPLAYS + 2 * seat + 1] > other):
                    most, best = sum_of, seat
        row[GRILL_SIZE] -= 1
        karteneck_array_push(row, best, row[GRILL + row[GRILL_SIZE]])
        row[PASSED + best] = SHARED
        row[STARTER] = best
    for seat in range(row[SEATS]):
        karteneck_array_discard(row, seat)
        row[PASSED + seat] = 0
    if row[ROUND] == ROUNDS[row[SEATS]]:
        row[PHASE] = OVER
        row[ACTOR] = -1
    else:
        row[ROUND] += 1
        karteneck_array_want(row, REVEALING, 0)
