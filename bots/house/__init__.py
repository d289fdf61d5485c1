"""The bots that ship with the site: opponents for every newcomer, and stand-ins for bots that fail."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.resources import files
from typing import Final

from games.state import View


@dataclass(frozen=True, slots=True)
class HouseBot:
    """One file ``bots/house/<ruleset>/<name>.py``: a whole bot. ``title`` is a name, ``blurb`` English prose."""

    ruleset: str
    name: str
    title: str
    blurb: str

    def source(self) -> bytes:
        """The file, as it would be uploaded."""
        return files(f"{__name__}.{self.ruleset}").joinpath(f"{self.name}.py").read_bytes()


# Weakest first.
HOUSE: Final[Mapping[str, tuple[HouseBot, ...]]] = {
    "pickomino": (
        HouseBot(
            "pickomino", "random", "Scatterbrain", "Takes any face at random and stops at the first tile in reach."
        ),
        HouseBot(
            "pickomino", "cautious", "Early Bird", "Secures a worm, then points; stops at the first tile in reach."
        ),
        HouseBot(
            "pickomino", "greedy", "Fat Crow", "Grabs the most points and rolls on while the risk of a bust is low."
        ),
        HouseBot(
            "pickomino", "sage", "Wise Owl", "Plays every turn as well as it can be played, by exact calculation."
        ),
    ),
    "heckmeck": (
        HouseBot(
            "heckmeck", "random", "Headless Chick", "Takes any face at random and stops at the first tile in reach."
        ),
        HouseBot(
            "heckmeck",
            "cautious",
            "Brood Hen",
            "Secures a worm, then points; uses whoever helps it and stops at the first tile in reach.",
        ),
        HouseBot(
            "heckmeck",
            "sage",
            "Silver Fox",
            "Plays every turn as well as it can be played, specialists included, by exact calculation.",
        ),
    ),
    "laghetti": (
        HouseBot("laghetti", "random", "Sunday Stroller", "Any bid, any card, any feature."),
        HouseBot(
            "laghetti", "steady", "Old Marmot", "Bids what its cards are worth, takes what it needs and ducks the rest."
        ),
        HouseBot(
            "laghetti", "guide", "Mountain Guide", "Deals the hidden cards anew in its head and plays every card out."
        ),
    ),
    "karteneck": (
        HouseBot("karteneck", "random", "Chickadee", "Lays down whatever comes, and passes on a whim."),
        HouseBot(
            "karteneck", "steady", "Careful Hen", "Saves its cards where little is at stake, and plays the worm last."
        ),
        HouseBot(
            "karteneck", "seer", "Weather Cock", "Deals the hidden cards anew in its head and plays every action out."
        ),
    ),
}

STAND_INS: Final[Mapping[str, str]] = {
    "pickomino": "cautious",
    "heckmeck": "cautious",
    "laghetti": "steady",
    "karteneck": "steady",
}


def stand_in(ruleset: str) -> Callable[[View], str]:
    """The bot that plays on for a seat whose bot has failed: in process, and the same action for the same view.

    Raises:
        KeyError: no such ruleset.
    """
    act: Callable[[View], str] = import_module(f"{__name__}.{ruleset}.{STAND_INS[ruleset]}").act
    return act
