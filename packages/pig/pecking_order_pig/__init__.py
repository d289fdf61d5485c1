"""Pig as the platform knows it."""

from pecking.game import COUNT, InNumbers, around, for_each_seat, from_here, new_game, part_of, parts_of
from pecking_order_pig.position import GOAL, MOST_TURNS, Position

SEATS = range(2, 5)

# What a seat sees as floats, for programs that learn; without it the game plays everywhere else.
IN_NUMBERS = InNumbers(
    layout=lambda players, options: {"points": players, "won": 1, "actor": players, "turn": 1},
    tell=lambda at, seat: (
        parts_of(GOAL + 6, around(seat, at.points)),
        part_of(GOAL + 6, at.won),
        from_here(seat, at.actor, at.players),
        part_of(at.players * MOST_TURNS + 1, at.turn),
    ),
    restore=lambda facts: Position(*facts),
    chance_ways=lambda players, options: 6,
)

GAME = new_game(
    __name__,
    "pig",
    title="Pig",
    tagline="One die: roll as often as you dare.",
    seats=SEATS,
    view={
        "turn": (COUNT, "turns begun so far, this one included"),
        "points": (for_each_seat(COUNT, SEATS), "the points that each seat has put away"),
        "won": (COUNT, "what the turn has brought so far, which a 1 would cost"),
    },
    opening=lambda players, options: Position((0,) * players),
    vocabulary=lambda options: ("roll", "hold"),
    # A turn's rolls bring two at least until one of them wins or is a 1; a hold takes the place of a roll.
    max_actions=lambda players, options: players * MOST_TURNS * (GOAL // 2),
    reasons={"goal": "somebody had 50 points", "turns": "too many turns went by"},
    house_bots=[("steady", "Careful Pig", "Holds at twenty.")],
    in_numbers=IN_NUMBERS,
)
