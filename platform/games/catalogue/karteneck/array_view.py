"""Legal actions, observations and ranks of Karteneck on a row of integers: see ``observation`` and
``karteneck_fields_standing``.
"""

from typing import Any, Final

from games.catalogue.karteneck.arrays import (
    ALSO,
    COUNT,
    DECK,
    DISCARD,
    DISPLAYS,
    DONE,
    FIRST_NUMBER,
    FIRST_WORM,
    GRILL,
    GRILL_SIZE,
    HANDS,
    HEIGHTS,
    INVALID,
    NUMBERS,
    PASS,
    PASSED,
    PHASE,
    ROUND,
    ROUNDS,
    STACKS,
    STARTER,
    STEAL,
    TAG,
    TAGS,
    TURN,
    VALID,
    WORMS,
    WORTH,
    ZEROS,
    karteneck_array_begin,
    karteneck_array_deal,
    karteneck_array_key,
    karteneck_array_many,
    karteneck_array_ones,
    karteneck_array_play,
    karteneck_array_settings,
    karteneck_array_victim,
    karteneck_array_width,
)
from games.catalogue.karteneck.cards import CARDS_EACH, DECK_SIZE
from games.catalogue.karteneck.portions import VALUES
from games.in_numbers import ACTOR, SEATS, ArrayRules, IntegerRow, numbers_place_by

PHASES: Final = 7
DIFFERENT: Final = len(VALUES)
PILE: Final = NUMBERS + TAGS


def karteneck_array_view_allow(row: IntegerRow, mask: Any) -> None:
    hand, display = HANDS + 2 * row[ACTOR], DISPLAYS + 2 * row[ACTOR]
    if row[PHASE] == WORMS:
        for worm in range(row[TAG] + 1, TAGS):
            mask[ALSO + worm] = row[hand + 1] >> worm & 1
        mask[DONE] = 1
    elif row[PHASE] == TURN:
        mask[PASS] = 1
        mask[STEAL] = karteneck_array_victim(row) >= 0
        for number in range(NUMBERS):
            if karteneck_array_many(row[display], number) == 0:
                first = FIRST_NUMBER + CARDS_EACH * number
                mask[first : first + karteneck_array_many(row[hand], number)] = 1
        if row[display + 1] == 0:
            for worm in range(TAGS):
                mask[FIRST_WORM + worm] = row[hand + 1] >> worm & 1


def karteneck_array_view_observe(row: IntegerRow, seat: int, floats: Any) -> None:
    players, at = row[SEATS], PHASES
    floats[:] = 0
    floats[row[PHASE]] = 1
    if row[ACTOR] >= 0:
        floats[at + (row[ACTOR] - seat) % players] = 1
    at += players
    floats[at] = row[ROUND] / ROUNDS[players]
    at += 1
    karteneck_array_view_write_portions(row, GRILL, row[GRILL_SIZE], floats, at)
    at += COUNT
    worms = at + COUNT * players
    sizes = worms + players + PILE
    displays = sizes + players
    passed = displays + PILE * players
    karteneck_array_view_write_pile(row, HANDS + 2 * seat, floats, worms + players)
    all_worms = karteneck_array_view_all_worms(row)
    for place in range(players):
        other = (seat + place) % players
        karteneck_array_view_write_portions(
            row, STACKS + COUNT * other, row[HEIGHTS + other], floats, at + COUNT * place
        )
        floats[worms + place] = karteneck_array_view_stack_worms(row, other) / all_worms
        floats[sizes + place] = karteneck_array_view_size(row, HANDS + 2 * other) / DECK_SIZE
        karteneck_array_view_write_pile(row, DISPLAYS + 2 * other, floats, displays + PILE * place)
        floats[passed + 2 * place] = row[PASSED + other] == VALID
        floats[passed + 2 * place + 1] = row[PASSED + other] == INVALID
    at = passed + 3 * players  # nobody draws while a seat observes
    floats[at] = karteneck_array_view_size(row, DECK) / DECK_SIZE
    karteneck_array_view_write_pile(row, DISCARD, floats, at + 1)
    floats[at + 1 + PILE + (row[STARTER] - seat) % players] = 1


def karteneck_array_view_write_portions(row: IntegerRow, first: int, number: int, floats: Any, at: int) -> None:
    """Write portions, encoded by ``games.in_numbers.places_of``."""
    zeros = 0
    for depth in range(1, number + 1):
        value = row[first + number - depth]
        if value:
            floats[at + ZEROS - 1 + value] = 1 / depth
        else:
            floats[at + zeros] = 1 / depth
            zeros += 1


def karteneck_array_view_write_pile(row: IntegerRow, pile: int, floats: Any, at: int) -> None:
    numbers, worms, cards = row[pile], row[pile + 1], floats[at : at + PILE]
    for number in range(NUMBERS):
        cards[number] = karteneck_array_many(numbers, number) / CARDS_EACH
    for worm in range(TAGS):
        cards[NUMBERS + worm] = worms >> worm & 1


def karteneck_array_view_size(row: IntegerRow, pile: int) -> int:
    """Return the number of cards in a pile."""
    cards = karteneck_array_ones(row[pile + 1])
    for number in range(NUMBERS):
        cards += karteneck_array_many(row[pile], number)
    return cards


def karteneck_array_view_stack_worms(row: IntegerRow, seat: int) -> int:
    worms: int = 0
    for height in range(row[HEIGHTS + seat]):
        worms += row[WORTH + row[STACKS + COUNT * seat + height]]
    return worms


def karteneck_array_view_all_worms(row: IntegerRow) -> int:
    """Return the worms on all portions, at least 1."""
    worms: int = (ZEROS - 1) * row[WORTH]
    for value in range(DIFFERENT):
        worms += row[WORTH + value]
    return worms or 1


def karteneck_array_view_rank(row: IntegerRow, points: Any, places: Any) -> None:
    """Write the outcome, like ``karteneck_fields_standing``."""
    for seat in range(row[SEATS]):
        best = 0
        for height in range(row[HEIGHTS + seat]):
            best = max(best, 1 + row[STACKS + COUNT * seat + height])
        points[seat] = karteneck_array_view_stack_worms(row, seat)
        places[seat] = points[seat] * 32 + best
    numbers_place_by(places.copy(), places)


ARRAY_RULES: Final = ArrayRules(
    karteneck_array_width,
    karteneck_array_settings,
    karteneck_array_key,
    karteneck_array_begin,
    karteneck_array_play,
    karteneck_array_deal,
    karteneck_array_view_observe,
    karteneck_array_view_allow,
    karteneck_array_view_rank,
)
