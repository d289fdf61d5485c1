"""Heckmeck, the anniversary edition: Pickomino with two low tiles, bratworms and six specialists (sheet 001)."""

from collections.abc import Sequence
from typing import Final

from games.catalogue.grill.presentation import (
    ACTIONS,
    grill_presentation_die,
    grill_presentation_mark,
    grill_presentation_table,
    grill_presentation_top_tile,
)
from games.catalogue.heckmeck.rules import TILES
from games.catalogue.heckmeck.ruleset import HECKMECK
from games.catalogue.heckmeck.scene import HeckmeckScene
from games.catalogue.heckmeck_v1 import HECKMECK_V1
from games.game import CatalogueGame, Cup, HouseBot, HouseLadder
from games.picture import Drawing, PictureRow, View


def heckmeck_draw(view: View, paints: Sequence[str]) -> Drawing:
    """See ``games.picture.Painter``. A star stands for each specialist that a seat has, a spot for one on a tile."""
    places = [place.split() for place in view["specialists"].values()]
    guarded = {int(place[1]) for place in places if place[0] == "tile"}
    owned = [sum(place == ["seat", str(seat)] for place in places) for seat in range(len(paints))]
    rows = [
        PictureRow(worms, f"{'*' * owned[seat]} {grill_presentation_top_tile(stack)}".strip())
        for seat, (worms, stack) in enumerate(zip(view["worms"], view["stacks"], strict=True))
    ]
    return Drawing(grill_presentation_table(view, TILES, 5, guarded), rows, view["phase"] == "over")


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
    draw=heckmeck_draw,
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
