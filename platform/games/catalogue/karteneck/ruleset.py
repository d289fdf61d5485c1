"""The current ruleset of Karteneck: start position, vocabulary, and the bound on actions."""

from typing import Final

from games.catalogue.karteneck.cards import TAGS, TYPES
from games.catalogue.karteneck.observation import IN_NUMBERS
from games.catalogue.karteneck.position import VOCABULARY, KarteneckPosition, karteneck_position_opening
from games.catalogue.karteneck.rules import ID, OPTIONS, SEATS, SIX, KarteneckRules
from games.catalogue.karteneck.view import karteneck_view_schema_of
from games.ruleset import Options, Ruleset


def karteneck_ruleset_start(players: int, options: Options) -> KarteneckPosition:
    return karteneck_position_opening(KarteneckRules.of(players, options))


def karteneck_ruleset_vocabulary(options: Options) -> tuple[str, ...]:
    return VOCABULARY


def karteneck_ruleset_max_actions(players: int, options: Options) -> int:
    """Return an upper bound on the players' actions in a game: 7 for each seat plus 25, in each of 5 to 9 rounds.

    In a round, each play of a seat adds a new type to its display, and only its pass clears the display. So there are
    at most five plays of numbers, one of worms, and one pass. A play of worms takes one action for each worm and then
    ``done``. Without the actions for worms, that is 7 actions for each seat. A worm on a display stays there until the
    round ends, so all seats together play at most the 25 worms of the game in a round. The number of rounds is fixed.
    """
    actions = players * (len(TYPES) + 1) + len(TAGS)
    return actions * KarteneckRules.of(players, options).rounds


KARTENECK: Final = Ruleset(
    name="karteneck",
    version=2,
    title="Heckmeck am Karteneck",
    seats=SEATS,
    options=OPTIONS,
    view_schema=karteneck_view_schema_of(ID, OPTIONS),
    opening=karteneck_ruleset_start,
    vocabulary=karteneck_ruleset_vocabulary,
    max_actions=karteneck_ruleset_max_actions,
    points="Worms",
    in_numbers=IN_NUMBERS,
    seats_with={SIX: ("max_players", SIX)},
)
