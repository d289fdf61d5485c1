"""In cammino tra i laghetti on a row of integers: the rules of ``position`` for many games at once, and
observations.
"""

from collections.abc import Mapping
from typing import Any, Final

from games.catalogue.laghetti.deck import CARDS
from games.catalogue.laghetti.rules import FULL_ROUNDS as FOUR_ROUNDS
from games.in_numbers import (
    ACTOR,
    SEATS,
    SETTINGS,
    WANTED,
    ArrayRules,
    IntegerRow,
    numbers_first_left,
    numbers_lot,
    numbers_place_by,
)

THREE_ROUNDS, BARRED, DRAWN = range(SETTINGS, SETTINGS + 3)
DECK: Final = DRAWN + 1  # by card: five bits for each feature
PHASE, NUMBER, DEALER, BEFORE, DEALT, PAGE, LEFT = range(DECK + CARDS, DECK + CARDS + 7)
MADE, LEADER, FEATURE, LAST, LAID = range(LEFT + 1, LEFT + 6)
HANDS: Final = LAID + 1  # by seat, like every entry from here on
BIDS: Final = HANDS + 4
WON: Final = BIDS + 4
PLAYED: Final = WON + 4
TRICK: Final = PLAYED + 4  # the cards of the current trick
SCORES: Final = TRICK + 4

# The indexes of LaghettiPhase.
DRAWING, DEALING, BIDDING, LEADING, FOLLOWING, OVER = range(6)
WHOLE_DECK: Final = (1 << CARDS) - 1
FEATURE_BITS: Final = 5
FIRST_CARD, FIRST_LEAD = 9, 33  # numbers of actions; 0 to 8 are bids
DRAWS: Final = 128  # more draws than a seat has; used in the codes of keys
DEALER_DRAW: Final = DRAWS - 1


def laghetti_array_width(players: int) -> int:
    return SCORES + 4


def laghetti_array_settings(options: Mapping[str, Any]) -> tuple[int, ...]:
    deck = (sum(value << FEATURE_BITS * place for place, value in enumerate(card)) for card in options["deck"])
    barred, drawn = options["feature_repeat"] == "not_previous", options["first_dealer"] == "random"
    return options["full_rounds_3p"], int(barred), int(drawn), *deck


def laghetti_array_key(code: int) -> str:
    rest, seat = divmod(code - 1, 4)
    page, drawn = divmod(rest, DRAWS)
    return f"hand/{seat}/{drawn}/{page}" if drawn != DEALER_DRAW else f"pick/dealer/{page}"


def laghetti_array_rounds(row: IntegerRow) -> int:
    """Return the number of rounds, see ``rules.laghetti_rules_schedule``."""
    full = row[THREE_ROUNDS] if row[SEATS] == 3 else FOUR_ROUNDS
    number: int = 2 * (CARDS // row[SEATS] - 1) + full
    return number


def laghetti_array_cards_each(row: IntegerRow) -> int:
    """Return how many cards each player is dealt in this round."""
    number: int = min(row[NUMBER] + 1, CARDS // row[SEATS], laghetti_array_rounds(row) - row[NUMBER])
    return number


def laghetti_array_begin(row: IntegerRow) -> None:
    if row[DRAWN]:
        row[PHASE] = DRAWING
        row[WANTED] = 1 + DEALER_DRAW * 4
    else:
        laghetti_array_start_round(row)


def laghetti_array_start_round(row: IntegerRow) -> None:
    """Begin to deal."""
    row[PHASE] = DEALING
    row[HANDS:SCORES] = 0
    row[MADE] = 0
    row[LAST] = 0
    row[DEALT] = 0
    row[LEFT] = WHOLE_DECK
    laghetti_array_want_card(row, 0)


def laghetti_array_receiver(row: IntegerRow) -> int:
    seat: int = (row[DEALER] + 1 + row[DEALT]) % row[SEATS]
    return seat


def laghetti_array_want_card(row: IntegerRow, page: int) -> None:
    drawn = row[BEFORE] + row[DEALT] // row[SEATS]
    row[PAGE] = page
    row[WANTED] = 1 + (page * DRAWS + drawn) * 4 + laghetti_array_receiver(row)


def laghetti_array_deal(row: IntegerRow, block: Any) -> None:
    if row[PHASE] == DRAWING:
        seat = numbers_lot(block[0], row[SEATS])
        if seat < 0:
            row[WANTED] += DRAWS * 4
        else:
            row[DEALER] = seat
            laghetti_array_start_round(row)
        return
    card = numbers_first_left(block, CARDS, row[LEFT])
    if card < 0:
        laghetti_array_want_card(row, row[PAGE] + 1)
        return
    row[LEFT] ^= 1 << card
    row[HANDS + laghetti_array_receiver(row)] |= 1 << card
    row[DEALT] += 1
    if row[DEALT] < laghetti_array_cards_each(row) * row[SEATS]:
        laghetti_array_want_card(row, 0)
    else:
        row[WANTED] = 0
        row[PHASE] = BIDDING
        row[ACTOR] = laghetti_array_receiver(row)


def laghetti_array_play(row: IntegerRow, action: int) -> None:
    if row[PHASE] == BIDDING:
        laghetti_array_make_bid(row, action)
    elif row[PHASE] == LEADING:
        row[FEATURE] = (action - FIRST_LEAD) % 4
        laghetti_array_lay(row, (action - FIRST_LEAD) // 4)
    else:
        laghetti_array_lay(row, action - FIRST_CARD)


def laghetti_array_make_bid(row: IntegerRow, bid: int) -> None:
    row[BIDS + row[ACTOR]] = bid
    row[MADE] += 1
    row[ACTOR] = (row[ACTOR] + 1) % row[SEATS]
    if row[MADE] == row[SEATS]:
        laghetti_array_lead(row, row[ACTOR])


def laghetti_array_lead(row: IntegerRow, seat: int) -> None:
    row[PHASE] = LEADING
    row[LEADER] = seat
    row[ACTOR] = seat


def laghetti_array_lay(row: IntegerRow, card: int) -> None:
    """Lay a card to the trick."""
    seat = row[ACTOR]
    row[HANDS + seat] ^= 1 << card
    row[TRICK + seat] = card
    row[LAID] += 1
    if row[LAID] < row[SEATS]:
        row[PHASE] = FOLLOWING
        row[ACTOR] = (seat + 1) % row[SEATS]
    else:
        laghetti_array_end_trick(row)


def laghetti_array_end_trick(row: IntegerRow) -> None:
    most, winner = 0, 0
    for seat in range(row[SEATS]):
        card = row[TRICK + seat]
        value = row[DECK + card] >> FEATURE_BITS * row[FEATURE] & 31
        if value > most:
            most, winner = value, seat
        row[PLAYED + seat] |= 1 << card
    row[WON + winner] += 1
    row[LAST] = row[FEATURE] + 1
    row[LAID] = 0
    laghetti_array_lead(row, winner)
    if row[HANDS + winner] == 0:
        laghetti_array_settle(row)


def laghetti_array_settle(row: IntegerRow) -> None:
    """Add the points of a round, and go on to the next round or the end."""
    for seat in range(row[SEATS]):
        bid, won = row[BIDS + seat], row[WON + seat]
        row[SCORES + seat] += bid + 1 if won == bid else -abs(won - bid)
    if row[NUMBER] + 1 == laghetti_array_rounds(row):
        row[PHASE] = OVER
        row[ACTOR] = -1
        return
    row[BEFORE] += laghetti_array_cards_each(row)
    row[NUMBER] += 1
    row[DEALER] = (row[DEALER] + 1) % row[SEATS]
    laghetti_array_start_round(row)


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
        laghetti_array_write_cards(row[PLAYED + other], floats, cards + CARDS * place)
    laghetti_array_write_cards(row[HANDS + seat], floats, cards - CARDS)
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


def laghetti_array_write_cards(cards: int, floats: Any, at: int) -> None:
    for card in range(CARDS):
        floats[at + card] = cards >> card & 1


def laghetti_array_hand_size(row: IntegerRow, seat: int) -> int:
    """Return the number of cards in a seat's hand, computed from what the seat has played."""
    size: int = laghetti_array_cards_each(row)
    for other in range(row[SEATS]):
        size -= row[WON + other]
    return size - 1 if (seat - row[LEADER]) % row[SEATS] < row[LAID] else size


def laghetti_array_most_points(row: IntegerRow) -> int:
    """Return the points of a game in which all bids are met: the cards of each round plus one per round."""
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
