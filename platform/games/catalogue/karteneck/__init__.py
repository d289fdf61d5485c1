"""Heckmeck am Karteneck: 110 cards, 30 portions of grilled worms, and a menu that players share (sheets
000 and 002).
"""

from typing import Final

from games.catalogue.karteneck.presentation import (
    karteneck_presentation_card,
    karteneck_presentation_draw,
    karteneck_presentation_mark,
)
from games.catalogue.karteneck.ruleset import KARTENECK
from games.catalogue.karteneck.scene import KarteneckScene
from games.catalogue.karteneck_v1 import KARTENECK_V1
from games.game import CatalogueGame, Cup, HouseBot, HouseLadder

GAME: Final = CatalogueGame(
    folder=__name__,
    versions=(KARTENECK_V1, KARTENECK),
    tagline="Cards and portions of grilled worms: collect types, and pass in time.",
    reasons={"reserve_empty": "all portions were shared out"},
    tie_breaks={"highest_portion": "tie broken by the highest portion"},
    actions={
        "play W*": "play the worm with this tag; more worms may follow",
        "play *": "play so many cards of this number, 2x3 for two of the number 3",
        "also *": "play this worm too",
        "done": "play no more worms",
        "pass": "pass with what the display is worth",
        "steal": "pass, and steal the portion of exactly that worth",
    },
    house_bots=(
        HouseBot(__name__, "random", "Chickadee", "Lays down whatever comes, and passes on a whim."),
        HouseBot(__name__, "daring", "Fighting Cock", "Wants the best portion, and lays down all it has for it."),
        HouseBot(
            __name__, "steady", "Careful Hen", "Saves its cards where little is at stake, and plays the worm last."
        ),
        HouseBot(
            __name__, "seer", "Weather Cock", "Deals the hidden cards many times in its head and tries every action."
        ),
    ),
    plays_on="steady",
    scene=KarteneckScene,
    mark=karteneck_presentation_mark,
    draw=karteneck_presentation_draw,
    piece=karteneck_presentation_card,
    ladder=HouseLadder("Card Ladder", 2),
    colour="mustard",
    cups=(
        Cup(
            "karteneck",
            "Card Corner",
            "Cards, portions and a menu that is shared out.",
            3,
            bots=("random", "steady", "seer"),
        ),
    ),
)
