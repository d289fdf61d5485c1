"""The current ruleset of Pickomino: start position, vocabulary, and the bound on actions."""

from typing import Final

from games.catalogue.grill.aside import DECLINE, ROLL, STEAL, STOP, TAKES
from games.catalogue.pickomino.observation import IN_NUMBERS
from games.catalogue.pickomino.position import PickominoPosition, pickomino_position_opening
from games.catalogue.pickomino.rules import ID, OPTIONS, SEATS, TILES, TURN_CAP, PickominoRules
from games.catalogue.pickomino.view import pickomino_view_schema_of
from games.ruleset import Options, Ruleset

ACTIONS_A_TURN: Final = 13


def pickomino_ruleset_start(players: int, options: Options) -> PickominoPosition:
    return pickomino_position_opening(PickominoRules(players, **options))


def pickomino_ruleset_vocabulary(options: Options) -> tuple[str, ...]:
    lower = tuple(f"tile {tile}" for tile in TILES) if options["lower_tile"] == "any_lower" else ()
    return (*TAKES, ROLL, STOP, STEAL, DECLINE, *lower)


def pickomino_ruleset_max_actions(players: int, options: Options) -> int:
    """Return an upper bound on the players' actions in a game: 13 in each of 100 turns for each seat.

    In a turn, every take uses up one of six faces, so there are at most 6 takes. There is exactly one ``roll`` between
    two takes (the first roll is not an action), so at most 5. With a sixth take, the turn ends by itself: at most 6 + 5
    = 11 actions. Otherwise there are at most 5 takes, 4 rolls and one ``stop``: 10 actions. Then at most one of
    ``steal`` and ``decline`` follows, and at most one ``tile``. 6 + 5 + 1 + 1 = 13.

    The sheet's rules do not bound a game: players without tiles may fail without end, two may rob each other of the
    same tile, and the highest tile may go back and forth. So the platform ends a game after 100 turns of each seat with
    the reason ``turn_cap``; all seats have had the same number of turns. This is not a rule of the game: bots that try
    to win take about 15 turns each with two players, and fewer with more.
    """
    return ACTIONS_A_TURN * TURN_CAP * players


PICKOMINO: Final = Ruleset(
    name="pickomino",
    version=1,
    title="Pickomino",
    seats=SEATS,
    options=OPTIONS,
    view_schema=pickomino_view_schema_of(ID, OPTIONS),
    opening=pickomino_ruleset_start,
    vocabulary=pickomino_ruleset_vocabulary,
    max_actions=pickomino_ruleset_max_actions,
    points="Worms",
    in_numbers=IN_NUMBERS,
)
