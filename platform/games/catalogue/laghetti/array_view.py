"""What is seen between the lakes on a row of integers: see ``observation`` and ``fields.standing``."""

from typing import Any, Final

from games.catalogue.laghetti.arrays import (
    BARRED,
    BIDDING,
    BIDS,
    DEALER,
    FEATURE,
    FIRST_CARD,
    FIRST_LEAD,
    FOLLOWING,
    HANDS,
    LAID,
    LAST,
    LEADER,
    LEADING,
    MADE,
    NUMBER,
    PHASE,
    PLAYED,
    SCORES,
    TRICK,
    WON,
    laghetti_array_begin,
    laghetti_array_cards_each,
    laghetti_array_deal,
    laghetti_array_key,
    laghetti_array_play,
    laghetti_array_rounds,
    laghetti_array_settings,
    laghetti_array_width,
)
from games.catalogue.laghetti.deck import CARDS
from games.in_numbers import ACTOR, SEATS, ArrayRules, IntegerRow, numbers_place_by

PHASES: Final = 6
FEATURES: Final = 4
MOST_CARDS: Final = CARDS // 3
MOST_ROUNDS: Final = 19


def laghetti_array_allow(row: IntegerRow, mask: Any) -> None:
    phase, hand = row[PHASE], row[HANDS + row[ACTOR]]
    if phase == BIDDING:
        left = laghetti_array_cards_each(row)
        mask[: left + 1] = 1
        if row[MADE] == row[SEATS] - 1:
            for seat in range(row[SEATS]):
                left -= row[BIDS + seat]
            if left >= 0:
                mask[left] = 0
    elif phase == LEADING:
        barred = row[LAST] - 1 if row[BARRED] else -1
        for card in range(CARDS):
            for feature in range(FEATURES):
                mask[FIRST_LEAD + FEATURES * card + feature] = hand >> card & 1 if feature != barred else 0
    elif phase == FOLLOWING:
        for card in range(CARDS):
            mask[FIRST_CARD + card] = hand >> card & 1


def laghetti_array_observe(row: IntegerRow, seat: int, floats: Any) -> None:
    players, at = row[SEATS], PHASES
    floats[:] = 0
    floats[row[PHASE]] = 1
    if row[ACTOR] >= 0:
        floats[at + (row[ACTOR] - seat) % players] = 1
    at += players
    floats[at] = (row[NUMBER] + 1) / MOST_ROUNDS
    floats[at + 1] = laghetti_array_cards_each(row) / MOST_CARDS
    at += 2
    floats[at + (row[DEALER] - seat) % players] = 1
    at += players
    cards = at + 5 * players + CARDS
    for place in range(players):
        other = (seat + place) % players
        floats[at + place] = (other - row[DEALER] - 1) % players < row[MADE]
        floats[at + players + place] = row[BIDS + other] / MOST_CARDS
        floats[at + 2 * players + place] = row[WON + other] / MOST_CARDS
        floats[at + 3 * players + place] = row[SCORES + other] / laghetti_array_most_points(row)
        floats[at + 4 * players + place] = laghetti_array_hand_size(row, other) / MOST_CARDS
        laghetti_array_tell_cards(row[PLAYED + other], floats, cards + CARDS * place)
    laghetti_array_tell_cards(row[HANDS + seat], floats, cards - CARDS)
    at = cards + CARDS * players
    if row[LAST]:
        floats[at + row[LAST] - 1] = 1
    at += FEATURES
    if row[LAID]:
        floats[at + (row[LEADER] - seat) % players] = 1
        floats[at + players + row[FEATURE]] = 1
        at += players + FEATURES
        for later in range(row[LAID]):
            other = (row[LEADER] + later) % players
            floats[at + CARDS * ((other - seat) % players) + row[TRICK + other]] = 1


def laghetti_array_tell_cards(cards: int, floats: Any, at: int) -> None:
    for card in range(CARDS):
        floats[at + card] = cards >> card & 1


def laghetti_array_hand_size(row: IntegerRow, seat: int) -> int:
    """Return how many cards a seat has; its hand may be told by what it has laid."""
    size: int = laghetti_array_cards_each(row)
    for other in range(row[SEATS]):
        size -= row[WON + other]
    return size - 1 if (seat - row[LEADER]) % row[SEATS] < row[LAID] else size


def laghetti_array_most_points(row: IntegerRow) -> int:
    """Return what bids that are all met could bring in the whole game: its cards each, and one for each round."""
    most = CARDS // row[SEATS]
    points: int = laghetti_array_rounds(row) + most * (laghetti_array_rounds(row) - most + 1)
    return points


def laghetti_array_rank(row: IntegerRow, points: Any, places: Any) -> None:
    players = row[SEATS]
    points[:] = row[SCORES : SCORES + players]
    numbers_place_by(points, places)


ARRAY_RULES: Final = ArrayRules(
    laghetti_array_width,
    laghetti_array_settings,
    laghetti_array_key,
    laghetti_array_begin,
    laghetti_array_play,
    laghetti_array_deal,
    laghetti_array_observe,
    laghetti_array_allow,
    laghetti_array_rank,
)
