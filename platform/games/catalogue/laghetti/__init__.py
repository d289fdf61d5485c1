"""In cammino tra i laghetti: a trick-taking game with bids, whose cards have four values each (sheet 003)."""

from typing import Final

from games.catalogue.laghetti.presentation import (
    laghetti_presentation_card,
    laghetti_presentation_draw,
    laghetti_presentation_mark,
)
from games.catalogue.laghetti.ruleset import LAGHETTI
from games.catalogue.laghetti.scene import LaghettiScene
from games.game import CatalogueGame, Cup, HouseBot, HouseLadder

GAME: Final = CatalogueGame(
    folder=__name__,
    versions=(LAGHETTI,),
    tagline="Tricks with 24 mountain lakes: say how many you will win, and win neither more nor fewer.",
    reasons={"rounds_played": "all rounds were played"},
    actions={
        "bid *": "bid so many tricks",
        "play * *": "lead with this card, and name the feature that counts",
        "play *": "play this card to the trick",
    },
    house_bots=(
        HouseBot(__name__, "random", "Sunday Stroller", "Any bid, any card, any feature."),
        HouseBot(__name__, "lazy", "Lazy Marmot", "Bids as few tricks as it may, and ducks whatever it can."),
        HouseBot(
            __name__, "steady", "Old Marmot", "Bids what its cards are worth, takes what it needs and ducks the rest."
        ),
        HouseBot(__name__, "daring", "Proud Ibex", "Bids a trick more than its cards promise, and leads from the top."),
        HouseBot(
            __name__, "guide", "Mountain Guide", "Deals the hidden cards many times in its head and tries every card."
        ),
    ),
    plays_on="steady",
    scene=LaghettiScene,
    mark=laghetti_presentation_mark,
    draw=laghetti_presentation_draw,
    piece=laghetti_presentation_card,
    ladder=HouseLadder("Mountain Ladder", 3),
    colour="lake",
    cups=(
        Cup(
            "laghetti", "Lakeside Walk", "Bids and tricks among mountain lakes.", 3, bots=("random", "steady", "guide")
        ),
    ),
)
