"""Liar's Dice: bid higher, or call the bluff."""

from pecking.game import Cup, Option
from pecking_order_openspiel.bridge import bridged

GAME = bridged(
    __name__,
    title="Liar's Dice",
    tagline="Bid what all the dice show. Or call the other a liar.",
    house_bots=(
        ("random", "Brazen Budgie", "Plays any action."),
        ("odds", "Sly Magpie", "Bids what is likely, and doubts what is not."),
    ),
    options={"dice": Option(3, (1, 2, 3, 5), "Dice", "How many dice each seat rolls.")},
    parameters=lambda players, options: {"numdice": options["dice"]},
    cup=Cup("liars_dice", "Liar's Dice Cup", "Hidden dice, brazen bids.", 2),
)
