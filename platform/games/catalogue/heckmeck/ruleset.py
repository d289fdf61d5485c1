"""The anniversary edition as the platform knows it."""

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
    """Return a bound on the actions of the players in any game: 15 for each of 100 turns a seat.

    A turn, as in Pickomino: at most 6 takes with 5 times ``roll`` between them, or fewer and a ``stop``: 11. At most
    once each: a word on the specialist whose owner is asked, for nobody has two and a weasel that has been used is not
    asked about again; from whom the bratworm of a double 1 comes, for ones are set aside once; ``steal`` or
    ``decline``; and at the end, either from whom the raven's bratworm comes or which specialist to keep, for the raven
    is nobody's. 11 + 4 = 15.

    A game: the sheet's rules bound nothing, so the platform ends it after 100 turns a seat, as it then stands, with the
    reason ``turn_cap``.
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
