"""High Card as the platform knows it."""

from pecking.game import (
    COUNT,
    InNumbers,
    around,
    for_each_seat,
    from_here,
    listed,
    new_game,
    or_null,
    parts_of,
    places_of,
)
from pecking_order_highcard.position import CARDS, HAND, LAYS, Position

SEATS = range(2, 5)

ALL = tuple(range(CARDS))
IN_NUMBERS = InNumbers(
    layout=lambda players, options: {"hand": CARDS, "table": CARDS, "points": players, "actor": players},
    tell=lambda at, seat: (
        parts_of(1, tuple(card in at.hands[seat] for card in ALL)),
        places_of(ALL, at.table),
        parts_of(HAND, around(seat, at.points)),
        from_here(seat, at.actor, at.players),
    ),
    restore=lambda facts: Position(*facts),
    chance_ways=lambda players, options: CARDS,
)

GAME = new_game(
    __name__,
    "highcard",
    title="High Card",
    tagline="Five hidden cards: the highest takes the round.",
    seats=SEATS,
    view={
        "turn": (COUNT, "the round that is played, 0 while cards are dealt"),
        "hands": (for_each_seat(or_null(listed(COUNT, 0, HAND)), SEATS), "the cards in each hand; null for others"),
        "table": (listed(COUNT, 0, SEATS[-1]), "the cards laid in this round, its leader's first"),
        "points": (for_each_seat(COUNT, SEATS), "the rounds that each seat has won"),
    },
    opening=lambda players, options: Position(((),) * players, (0,) * players),
    vocabulary=lambda options: LAYS,
    max_actions=lambda players, options: players * HAND,  # exactly so many: everybody lays every card
    reasons={"hands_empty": "all cards were laid"},
    house_bots=[("lowest", "Miser", "Beats the table by as little as can be.")],
    in_numbers=IN_NUMBERS,
)
