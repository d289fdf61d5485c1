"""The options of Pickomino, and its tiles."""

from typing import Final, NamedTuple

from games.catalogue.grill.tiles import HIGHEST, LOWEST, tiles_mask_of
from games.ruleset import NO_OR_YES, START_PLAYER, Option

ID: Final = "pickomino/1"
SEATS: Final = range(2, 8)
TILES: Final = range(LOWEST, HIGHEST + 1)
ALL_TILES: Final = tiles_mask_of(TILES)
TURN_CAP: Final = 100  # turns of a seat after which the platform ends a game

STEAL: Final = ("optional", "mandatory")
LOWER_TILE: Final = ("next_lower", "any_lower")
SHORT: Final = ("off", "flip_highest_always", "returned_facedown_and_highest", "returned_facedown_only")

OPTIONS: Final = {
    "steal": Option(
        "optional",
        STEAL,
        "Stealing",
        "Whether a player whose total is another player's top tile may decline it, or must take it.",
        words=("may be declined", "must be done"),
    ),
    "lower_tile": Option(
        "next_lower",
        LOWER_TILE,
        "Lower tile",
        "Without an exact tile: the next lower one on the grill, or any lower one of the player's choice.",
        words=("the next lower one", "any lower one"),
    ),
    "flip_without_return": Option(
        False,
        (False, True),
        "Flip a tile after an empty-handed bust",
        "Whether a failed turn of a player without tiles turns over the highest tile too.",
        words=NO_OR_YES,
    ),
    "short_variant": Option(
        "off",
        SHORT,
        "Short game",
        "How a returned tile shortens the game; the rule sheets offer this for five to seven players. The highest "
        "tile is always turned over, even if it is the returned one; or the returned tile is turned over, and the "
        "highest too; or only the returned one. The sheets allow more than one reading, and none is recommended: the "
        "Italian sentence fits the second and the third, the English one the first and the second. With each of "
        "them, a failed turn can end the game.",
        words=(
            "no",
            "the highest tile is always turned over",
            "the returned and the highest tile are turned over",
            "the returned tile only is turned over",
        ),
        fewest=5,
    ),
    "start": START_PLAYER,
}


class PickominoRules(NamedTuple):
    """A table's number of players and options. The fields other than ``players`` are the options, in order."""

    players: int
    steal: str = "optional"
    lower_tile: str = "next_lower"
    flip_without_return: bool = False
    short_variant: str = "off"
    start: str = "seat0"

    @property
    def ruleset(self) -> str:
        """The id of the ruleset. The rules of another version are a subclass that overrides it."""
        return ID

    def options(self) -> dict[str, str | bool]:
        return dict(zip(OPTIONS, self[1:], strict=True))
