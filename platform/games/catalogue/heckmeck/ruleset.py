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

    A turn, as in Pickomino, has at most 6 takes with 5 times ``roll`` between them, or fewer takes and a ``stop``: 11.
    The following are at most one each. An answer about the specialist: a player has only one, and a used weasel is not
    asked about again. The giver of the bratworm for a double 1: ones are set aside once. ``steal`` or ``decline``. At
    the end, the giver of the raven's bratworm or the specialist to keep: the raven never belongs to a player. 11 + 4 =
    15.

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
