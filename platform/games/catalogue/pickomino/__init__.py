"""Heckmeck am Bratwurmeck, known in English as Pickomino: eight dice, sixteen tiles of grilled worms (sheet 004)."""

from typing import Final

from games.catalogue.grill.beats import mark
from games.catalogue.pickomino.picture import draw
from games.catalogue.pickomino.ruleset import PICKOMINO
from games.catalogue.pickomino.scene import PickominoScene
from games.game import CatalogueGame, Cup, HouseBot

GAME: Final = CatalogueGame(
    folder=__name__,
    versions=(PICKOMINO,),
    tagline="Eight dice and a grill full of worms: roll, set aside, and know when to stop.",
    reasons={"grill_empty": "the grill was empty", "turn_cap": "too many turns went by"},
    tie_breaks={"highest_tile": "tie broken by the highest tile"},
    house_bots=(
        HouseBot(__name__, "random", "Scatterbrain", "Takes any face at random and stops at the first tile in reach."),
        HouseBot(__name__, "cautious", "Early Bird", "Secures a worm, then points; stops at the first tile in reach."),
        HouseBot(__name__, "greedy", "Fat Crow", "Grabs the most points and rolls on while the risk of a bust is low."),
        HouseBot(__name__, "sage", "Wise Owl", "Plays every turn as well as it can be played, by exact calculation."),
    ),
    plays_on="cautious",
    scene=PickominoScene,
    mark=mark,
    draw=draw,
    cups=(
        Cup("pickomino", "Backyard Cup", "The house bots, each against each, as fast as they can.", 2),
        Cup("pickomino", "Long Table", "All house bots at one table, broadcast for everyone to follow.", 4, "story"),
    ),
)
