"""Version 1 of Heckmeck: a player who declines a theft takes the next lower tile.

This follows figure 4e of sheet 004, which belongs to another edition (RULINGS J3). Version 2 has it as an option.
"""

from dataclasses import replace
from functools import partial
from typing import Final

from games.catalogue.heckmeck.observation import IN_NUMBERS, heckmeck_observation_restore
from games.catalogue.heckmeck.position import HeckmeckPosition, heckmeck_position_opening
from games.catalogue.heckmeck.rules import OPTIONS, HeckmeckRules
from games.catalogue.heckmeck.ruleset import HECKMECK
from games.catalogue.heckmeck.view import heckmeck_view_schema_of
from games.ruleset import Option, Options

ID_V1: Final = "heckmeck/1"
OPTIONS_V1: Final = {
    **OPTIONS,
    "steal": Option(
        "optional",
        ("optional", "mandatory"),
        "Stealing",
        "Whether a player whose total is another player's top tile may decline it, or must take it.",
        words=("may be declined", "must be done"),
    ),
}


class HeckmeckRulesV1(HeckmeckRules):
    """The same rules under another id. Without the option, declining a theft never fails the turn."""

    __slots__ = ()

    @property
    def ruleset(self) -> str:
        return ID_V1


def heckmeck_v1_start(players: int, options: Options) -> HeckmeckPosition:
    return heckmeck_position_opening(HeckmeckRulesV1.of(players, options))


HECKMECK_V1: Final = replace(
    HECKMECK,
    version=1,
    options=OPTIONS_V1,
    view_schema=heckmeck_view_schema_of(ID_V1, OPTIONS_V1),
    opening=heckmeck_v1_start,
    in_numbers=replace(IN_NUMBERS, restore=partial(heckmeck_observation_restore, kind=HeckmeckRulesV1)),
)
