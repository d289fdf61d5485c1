"""Step 2, the ruleset: options, vocabulary, schema and bound."""

from typing import Final

from games.ruleset import Option, Options, Ruleset
from games.schema import COUNT, for_each_seat, listed, number, or_null, view_schema
from tests.games.eggs.position import EGGS, LAYS, Position

SEATS: Final = range(2, 5)
OPTIONS: Final = {"hand": Option(3, (3, 5), "Eggs in a hand", "How many eggs everybody is dealt, and how many rounds.")}


def start(players: int, options: Options) -> Position:
    return Position(players, options["hand"], hands=((),) * players, dealt=0, nest=(), points=(0,) * players)


def vocabulary(options: Options) -> tuple[str, ...]:
    return LAYS


def max_actions(players: int, options: Options) -> int:
    """Exactly so many: every player lays every egg."""
    return players * int(options["hand"])


_EGGS: Final = listed(number(0, EGGS - 1), 0, 5)

VIEW_SCHEMA: Final = view_schema(
    "Best Egg",
    "eggs/1",
    OPTIONS,
    SEATS,
    turn=number(0, 6),
    hands=for_each_seat(or_null(_EGGS), SEATS),
    nest=_EGGS,
    points=for_each_seat(COUNT, SEATS),
)

BEST_EGG: Final = Ruleset(
    name="eggs",
    version=1,
    title="Best Egg",
    seats=SEATS,
    options=OPTIONS,
    view_schema=VIEW_SCHEMA,
    opening=start,
    vocabulary=vocabulary,
    max_actions=max_actions,
)
