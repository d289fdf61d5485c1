"""Heckmeck, the anniversary edition of Pickomino, with two low tiles, bratworms and six specialists (sheet 001)."""

from typing import Final

from games.catalogue.grill.presentation import (
    ACTIONS,
    grill_presentation_die,
    grill_presentation_mark,
)
from games.catalogue.heckmeck.ruleset import HECKMECK
from games.catalogue.heckmeck.scene import HeckmeckScene
from games.catalogue.heckmeck.view import heckmeck_view_draw
from games.catalogue.heckmeck_v1 import HECKMECK_V1
from games.game import CatalogueGame, Cup, HouseBot, HouseLadder

GAME: Final = CatalogueGame(
    folder=__name__,
    versions=(HECKMECK_V1, HECKMECK),
    tagline="The dice again, with bratworms and six specialists: know when to stop, and whom to keep.",
    reasons={"grill_empty": "the grill was empty", "turn_cap": "too many turns went by"},
    tie_breaks={"highest_tile": "tie broken by the highest tile"},
    actions={
        **ACTIONS,
        "use golden_die": "throw the golden die too",
        "leave golden_die": "leave the golden die out",
        "use weasel": "throw the same dice again",
        "leave weasel": "do without the weasel: the turn fails",
        "use canned_worm": "open the canned worm, which counts as a worm",
        "leave canned_worm": "leave the can shut: the turn fails",
        "keep *": "keep this specialist and give the other up",
        "bratworm *": "take a bratworm from this seat",
    },
    house_bots=(
        HouseBot(
            __name__, "random", "Headless Chick", "Takes any face at random and stops at the first tile in reach."
        ),
        HouseBot(
            __name__,
            "cautious",
            "Brood Hen",
            "Secures a worm, then points; uses whoever helps it and stops at the first tile in reach.",
        ),
        HouseBot(
            __name__,
            "sage",
            "Silver Fox",
            "Plays every turn as well as it can be played, specialists included, by exact calculation.",
        ),
    ),
    plays_on="cautious",
    scene=HeckmeckScene,
    mark=grill_presentation_mark,
    draw=heckmeck_view_draw,
    piece=grill_presentation_die,
    ladder=HouseLadder("Specialists' Ladder", 2),
    colour="brick",
    cups=(
        Cup(
            "heckmeck",
            "Specialists' Cup",
            "Tiles, bratworms and specialists: the anniversary edition.",
            3,
            bots=("random", "cautious", "sage"),
        ),
    ),
)
