"""The current ruleset of Heckmeck: start position, vocabulary, and the bound on actions."""

from typing import Final

from games.catalogue.grill.aside import DECLINE, ROLL, STEAL, STOP, TAKES
from games.catalogue.heckmeck.observation import IN_NUMBERS
from games.catalogue.heckmeck.position import (
    CANNED_OR_NOT,
    GOLDEN_OR_NOT,
    WEASEL_OR_NOT,
    HeckmeckPosition,
    heckmeck_position_opening,
)
from games.catalogue.heckmeck.rules import ID, OPTIONS, RAVEN, SEATS, SPECIALISTS, TURN_CAP, HeckmeckRules
from games.catalogue.heckmeck.view import heckmeck_view_schema_of
from games.ruleset import Options, Ruleset

ACTIONS_A_TURN: Final = 15


def heckmeck_ruleset_start(players: int, options: Options) -> HeckmeckPosition:
    return heckmeck_position_opening(HeckmeckRules.of(players, options))


def heckmeck_ruleset_vocabulary(options: Options) -> tuple[str, ...]:
    kept = (f"keep {name}" for specialist, name in enumerate(SPECIALISTS) if specialist != RAVEN)
    given = (f"bratworm {seat}" for seat in range(SEATS.stop - 1))
    return (*TAKES, ROLL, STOP, STEAL, DECLINE, *GOLDEN_OR_NOT, *WEASEL_OR_NOT, *CANNED_OR_NOT, *kept, *given)


def heckmeck_ruleset_max_actions(players: int, options: Options) -> int:
    """Return an upper bound on the players' actions in a game: 15 in each of 100 turns for each seat.

    As in Pickomino, a turn has at most 6 takes with 5 times ``roll`` between them, or else fewer takes and a ``stop``:
    at most 11 actions. There are four further kinds of actions, each at most once in a turn:

    (1) An answer about the specialist. A player has only one, and a used weasel is not asked about again.

    (2) The choice of who gives the bratworm for a double 1. Ones are set aside only once.

    (3) ``steal`` or ``decline``.

    (4) At the end, the choice of who gives the raven's bratworm, or of the specialist to keep. Both cannot happen in
    one turn, because the raven never belongs to a player.

    So 11 + 4 = 15.

    The sheet's rules do not bound a game, so the platform ends it after 100 turns of each seat with the reason
    ``turn_cap``.
    """
    return ACTIONS_A_TURN * TURN_CAP * players


HECKMECK: Final = Ruleset(
    name="heckmeck",
    version=2,
    title="Heckmeck (anniversary edition)",
    seats=SEATS,
    options=OPTIONS,
    view_schema=heckmeck_view_schema_of(ID, OPTIONS),
    opening=heckmeck_ruleset_start,
    vocabulary=heckmeck_ruleset_vocabulary,
    max_actions=heckmeck_ruleset_max_actions,
    points="Worms",
    in_numbers=IN_NUMBERS,
)
