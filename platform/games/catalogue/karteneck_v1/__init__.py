"""Version 1 of Karteneck: in a tie, a player with only 0-portions and a player without portions share the place
(RULINGS K16).
"""

from dataclasses import replace
from functools import partial
from typing import Final

from games.catalogue.karteneck.observation import IN_NUMBERS, karteneck_observation_restore
from games.catalogue.karteneck.position import KarteneckPosition, karteneck_position_opening
from games.catalogue.karteneck.rules import OPTIONS, KarteneckRules
from games.catalogue.karteneck.ruleset import KARTENECK
from games.catalogue.karteneck.view import karteneck_view_schema_of
from games.ruleset import Options

ID_V1: Final = "karteneck/1"


class KarteneckRulesV1(KarteneckRules):
    """The same rules under another id; having no portion counts as much as a 0."""

    __slots__ = ()

    @property
    def ruleset(self) -> str:
        return ID_V1

    @property
    def without_portion(self) -> int:
        return 0


def karteneck_v1_start(players: int, options: Options) -> KarteneckPosition:
    return karteneck_position_opening(KarteneckRulesV1.of(players, options))


KARTENECK_V1: Final = replace(
    KARTENECK,
    version=1,
    view_schema=karteneck_view_schema_of(ID_V1, OPTIONS),
    opening=karteneck_v1_start,
    in_numbers=replace(IN_NUMBERS, restore=partial(karteneck_observation_restore, kind=KarteneckRulesV1), arrays=None),
)
