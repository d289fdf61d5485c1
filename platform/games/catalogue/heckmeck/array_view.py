"""Legal actions, observations and ranks of Heckmeck on a row of integers: see ``observation`` and
``heckmeck_board_standing``.
"""

from typing import Any, Final

from games.catalogue.grill.arrays import (
    DICE,
    FACES,
    GOLDEN,
    PHASE,
    SEAT,
    TILES,
    WORMS,
    grill_array_allow_faces,
    grill_array_key,
    grill_array_rank_by_tiles,
    grill_array_shows_new,
    grill_array_width,
    grill_array_write_dice,
    grill_array_write_table,
)
from games.catalogue.heckmeck.array_board import (
    BRATWORMS_OF,
    CANNING,
    CAP,
    CHOOSING,
    DECIDING,
    DOUBLING,
    GIVE,
    KEEPING,
    LEAVE_WEASEL,
    OFFER,
    ON_TILES,
    PLACES,
    RAVENING,
    ROLL_ON,
    SHOWN,
    SPECIALISTS,
    STEAL_IT,
    STEALING,
    SUPPLY,
    USE_CANNED,
    USE_GOLDEN,
    USE_WEASEL,
    USING,
    heckmeck_array_board_at_place,
    heckmeck_array_board_keep_action,
    heckmeck_array_board_may_give,
    heckmeck_array_board_settings,
    heckmeck_array_board_weasel_ready,
)
from games.catalogue.heckmeck.arrays import heckmeck_array_begin, heckmeck_array_deal, heckmeck_array_play
from games.catalogue.heckmeck.rules import APPLE, APPLE_WORMS, BRATWORMS
from games.in_numbers import SEATS, ArrayRules, IntegerRow

PHASES: Final = 11
NINE: Final = DICE + 1
ALL_WORMS: Final = 52  # 42 on tiles, 7 bratworms, 3 for the apple


def heckmeck_array_view_allow(row: IntegerRow, mask: Any) -> None:
    phase, action = row[PHASE], -1
    if phase == CHOOSING:
        grill_array_allow_faces(row, mask)
        if heckmeck_array_board_weasel_ready(row):
            mask[USE_WEASEL] = 1
            mask[LEAVE_WEASEL] = not grill_array_shows_new(row)
    elif phase == DECIDING:
        action = ROLL_ON
    elif phase == STEALING:
        action = STEAL_IT
    elif phase == USING:
        action = USE_GOLDEN
    elif phase == CANNING:
        action = USE_CANNED
    elif phase in (DOUBLING, RAVENING):
        for seat in range(row[SEATS]):
            mask[GIVE + seat] = heckmeck_array_board_may_give(row, seat)
    elif phase == KEEPING:
        mask[heckmeck_array_board_keep_action(heckmeck_array_board_at_place(row, row[SEAT]))] = 1
        mask[heckmeck_array_board_keep_action(row[OFFER])] = 1
    if action >= 0:
        mask[action] = mask[action + 1] = 1


def heckmeck_array_view_observe(row: IntegerRow, seat: int, floats: Any) -> None:
    players = row[SEATS]
    worms = grill_array_write_table(row, seat, PHASES, CAP, 0, floats)
    at = worms + players
    for specialist in range(SPECIALISTS):
        place = row[PLACES + specialist]
        if place >= ON_TILES:
            floats[at + place - ON_TILES] = 1
        elif place >= 0:
            floats[at + TILES + (place - seat) % players] = 1
        at += TILES + players
    floats[at] = row[SUPPLY] / BRATWORMS
    at += 1
    for place in range(players):
        other = (seat + place) % players
        floats[worms + place] = heckmeck_array_view_worms_of(row, other) / ALL_WORMS
        floats[at + place] = row[BRATWORMS_OF + other] / BRATWORMS
    at += players
    grill_array_write_dice(row, NINE if row[GOLDEN] else DICE, NINE, floats, at)
    at += 2 * FACES + 2
    if row[SHOWN]:
        floats[at + row[SHOWN] - 1] = 1
    at += FACES + 1
    if row[GOLDEN]:
        floats[at + row[GOLDEN] - 1] = 1
    floats[at + FACES + 1] = heckmeck_array_board_weasel_ready(row)


def heckmeck_array_view_worms_of(row: IntegerRow, seat: int) -> int:
    worms: int = row[WORMS + seat] + row[BRATWORMS_OF + seat]
    return worms + APPLE_WORMS if row[PLACES + APPLE] == seat else worms


def heckmeck_array_view_rank(row: IntegerRow, points: Any, places: Any) -> None:
    for seat in range(row[SEATS]):
        points[seat] = heckmeck_array_view_worms_of(row, seat)
    grill_array_rank_by_tiles(row, points, places)


ARRAY_RULES: Final = ArrayRules(
    grill_array_width,
    heckmeck_array_board_settings,
    grill_array_key,
    heckmeck_array_begin,
    heckmeck_array_play,
    heckmeck_array_deal,
    heckmeck_array_view_observe,
    heckmeck_array_view_allow,
    heckmeck_array_view_rank,
)
