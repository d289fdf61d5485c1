"""High Card as the platform knows it."""

from pecking.game import (
    COUNT,
    CatalogueGame,
    HouseBot,
    InNumbers,
    Ruleset,
    around,
    for_each_seat,
    from_here,
    listed,
    or_null,
    parts_of,
    places_of,
    view_schema,
)
from pecking_order_highcard.position import CARDS, HAND, LAYS, Position

SEATS = range(2, 5)
MEANINGS = {
    "turn": "the round that is played, 0 while cards are dealt",
    "hands": "the cards in each hand; null for those of others",
    "table": "the cards laid in this round, its leader's first",
    "points": "the rounds that each seat has won",
}

ALL = tuple(range(CARDS))
IN_NUMBERS = InNumbers(
    layout=lambda players: {"hand": CARDS, "table": CARDS, "points": players, "actor": players},
    tell=lambda at, seat: (
        parts_of(1, tuple(card in at.hands[seat] for card in ALL)),
        places_of(ALL, at.table),
        parts_of(HAND, around(seat, at.points)),
        from_here(seat, at.actor, at.players),
    ),
    restore=lambda facts: Position(*facts),
    chance_ways=lambda players, options: CARDS,
)

HIGH_CARD = Ruleset(
    name="highcard",
    version=1,
    title="High Card",
    seats=SEATS,
    options={},
    view_schema=view_schema(
        *("High Card", "highcard/1", {}, SEATS, MEANINGS),
        turn=COUNT,
        hands=for_each_seat(or_null(listed(COUNT, 0, HAND)), SEATS),
        table=listed(COUNT, 0, SEATS[-1]),
        points=for_each_seat(COUNT, SEATS),
    ),
    opening=lambda players, options: Position(((),) * players, (0,) * players),
    vocabulary=lambda options: LAYS,
    max_actions=lambda players, options: players * HAND,  # exactly so many: everybody lays every card
    in_numbers=IN_NUMBERS,
)

GAME = CatalogueGame(
    folder=__name__,
    versions=(HIGH_CARD,),
    tagline="Five hidden cards: the highest takes the round.",
    reasons={"hands_empty": "all cards were laid"},
    house_bots=(HouseBot(__name__, "lowest", "Miser", "Beats the table by as little as can be."),),
    plays_on="lowest",
)
