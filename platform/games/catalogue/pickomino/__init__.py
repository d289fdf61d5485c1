"""Heckmeck am Bratwurmeck, in English Pickomino: eight dice and sixteen tiles of grilled worms (sheet 004)."""

from typing import Final

from games.catalogue.grill.presentation import (
    ACTIONS,
    grill_presentation_die,
    grill_presentation_mark,
)
from games.catalogue.pickomino.ruleset import PICKOMINO
from games.catalogue.pickomino.scene import PickominoScene
from games.catalogue.pickomino.view import pickomino_view_draw
from games.game import CatalogueGame, Cup, HouseBot, HouseLadder

_FOUR: Final = ("random", "cautious", "greedy", "sage")

GAME: Final = CatalogueGame(
    folder=__name__,
    versions=(PICKOMINO,),
    tagline="Eight dice and a grill full of worms: roll, set aside, and know when to stop.",
    reasons={"grill_empty": "the grill was empty", "turn_cap": "too many turns went by"},
    tie_breaks={"highest_tile": "tie broken by the highest tile"},
    actions=ACTIONS,
    house_bots=(
        HouseBot(__name__, "random", "Scatterbrain", "Takes any face at random and stops at the first tile in reach."),
        HouseBot(
            __name__, "miser", "Penny Wren", "Parts with as few dice as it can; stops at the first tile in reach."
        ),
        HouseBot(__name__, "cautious", "Early Bird", "Secures a worm, then points; stops at the first tile in reach."),
        HouseBot(__name__, "daring", "Mad Rooster", "Wants the high tiles, and rolls on past the low ones."),
        HouseBot(__name__, "thief", "Thieving Magpie", "Looks at the others' tiles first, and rolls on to steal one."),
        HouseBot(
            __name__, "guard", "Gander on Guard", "Careful once a good tile lies on its stack, bold when it is behind."
        ),
        HouseBot(__name__, "greedy", "Fat Crow", "Grabs the most points and rolls on while the risk of a bust is low."),
        HouseBot(__name__, "sage", "Wise Owl", "Plays every turn as well as it can be played, by exact calculation."),
    ),
    plays_on="cautious",
    scene=PickominoScene,
    mark=grill_presentation_mark,
    draw=pickomino_view_draw,
    piece=grill_presentation_die,
    ladder=HouseLadder("Yard Ladder", 2),
    colour="ember",
    cups=(
        Cup("pickomino", "Backyard Cup", "Four house bots, each against each, as fast as they can.", 2, bots=_FOUR),
        Cup(
            "pickomino", "Barnyard Swiss", "Eight styles at tables of four.", 4, "highlights", format="swiss", rounds=4
        ),
        Cup(
            "pickomino",
            "Henhouse Knockout",
            "Eight birds, one perch: losers are out.",
            2,
            format="single_elimination",
            blocks=4,
        ),
        Cup(
            "pickomino",
            "Long Table",
            "Four house bots at one table, broadcast for everyone to follow.",
            4,
            "story",
            _FOUR,
        ),
        Cup(
            "pickomino",
            "Grill Premiere",
            "Four of the best at one table. Already played; the result stays secret until the premiere.",
            4,
            "story",
            ("thief", "guard", "greedy", "sage"),
            premiere_minutes=20,
        ),
        Cup(
            "pickomino",
            "Newcomers' Open",
            "Enter your bot: four house bots wait for it, and everyone meets everyone.",
            2,
            bots=_FOUR,
            entry_days=7,
        ),
    ),
)
