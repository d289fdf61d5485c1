"""The parts and options of Heckmeck (RULINGS 2.2), and the sources of each fact.

Printed on sheet 001: the numbers of the 18 tiles, eight white dice, seven bratworms worth one worm each, six
specialists with the tiles they start on, an apple worth three worms.

Not printed, taken from sheet 004 and its editions: the worms on the tiles 21 to 36. From two reviews that agree: one
worm each on 11 and 13, and only ones and worms on the golden die. Assumed without a source: three of each. The option
``golden_die_faces`` changes them.
"""

from enum import StrEnum
from typing import Any, Final, NamedTuple, Self

from games.catalogue.grill.tiles import HIGHEST, LOWEST, SPECIAL, tiles_mask_of
from games.chance import FACES
from games.ruleset import NO_OR_YES, START_PLAYER, Form, FormError, Option, Options

LOW_TILES: Final = SPECIAL  # taken by their exact total only, and never stolen
TILES: Final = (*LOW_TILES, *range(LOWEST, HIGHEST + 1))
ALL_TILES: Final = tiles_mask_of(TILES)
BRATWORMS: Final = 7
APPLE_WORMS: Final = 3
CANNED_POINTS: Final = 5
GOLDEN_FACES: Final = ("1", "1", "1", "W", "W", "W")

SPECIALISTS: Final = ("canned_worm", "hen", "raven", "weasel", "golden_die", "apple")
CANNED_WORM, HEN, RAVEN, WEASEL, GOLDEN_DIE, APPLE = range(6)
SET_UP: Final = (11, 21, 23, 25, 27, 29)  # the tile where each specialist starts

# The place of a specialist: a tile's number, the seat that has it (0 to 6), or out of the game.
OUT: Final = -1
NOBODY: Final = -1


TURN_CAP: Final = 100  # turns of a seat after which the platform ends a game
SIDES: Final = 6
ID: Final = "heckmeck/2"
SEATS: Final = range(2, 8)


class DieError(StrEnum):
    """Reasons why a list is not valid as the faces of a die."""

    COUNT = "a die has six faces, not %(value)s"
    FACE = "no die shows %(face)s"


def heckmeck_rules_read_faces(value: object) -> list[str]:
    """Read six faces in the order of FACES, from a list such as [1, "W", ...] or a text such as "1 1 1 W W W".

    Raises:
        FormError: there are not six faces, or one is unknown.
    """
    shown = value.replace(" ", "") if isinstance(value, str) else value
    faces = [str(one) for one in shown] if isinstance(shown, str | list | tuple) and len(shown) <= SIDES else []
    if len(faces) != SIDES:
        raise FormError(DieError.COUNT, value=f"{value!r:.60}")
    if unknown := [face for face in faces if len(face) != 1 or face not in FACES]:
        raise FormError(DieError.FACE, face=f"{unknown[0]!r:.20}")
    return sorted(faces)


DIE: Final = Form(
    allowed="six faces, each 1 to 5 or W, such as 1 1 1 W W W",
    schema={"type": "array", "items": {"enum": list(FACES)}, "minItems": SIDES, "maxItems": SIDES},
    read=heckmeck_rules_read_faces,
    write=" ".join,
    wrong=tuple(DieError),
)

OPTIONS: Final = {
    "steal": Option(
        "optional_or_fail",
        ("optional_or_fail", "optional", "mandatory"),
        "Stealing",
        "Whether a player whose total is another player's top tile may decline it, and what is left then, or must "
        "take it. The sheet has the next lower tile only for a total that no other player's top tile shows.",
        words=(
            "may be declined; then the turn fails",
            "may be declined; then the next lower tile is taken",
            "must be done",
        ),
    ),
    "golden_die_faces": Option(
        list(GOLDEN_FACES),
        (list(GOLDEN_FACES), list(FACES), ["W"] * SIDES),
        "Faces of the golden die",
        "The rule sheet does not print them; reviews of the real die agree on ones and worms only.",
        DIE,
    ),
    "golden_die_use": Option(
        "turn_start",
        ("turn_start", "always"),
        "Using the golden die",
        "Its owner says at the start of a turn whether it is thrown too, or always throws it.",
        words=("as its owner likes", "always"),
    ),
    "canned": Option(
        "auto",
        ("auto", "choice"),
        "Using the canned worm",
        "It counts by itself whenever no worm was set aside, or its owner may also let the turn fail.",
        words=("counts by itself", "as its owner likes"),
    ),
    "end_ignores_11_13": Option(
        False,
        (False, True),
        "End without 11 and 13",
        "Whether the game also ends when only 11 and 13 still lie face up on the grill.",
        words=NO_OR_YES,
    ),
    "low_tiles_one_per_player": Option(
        False,
        (False, True),
        "Only one of 11 and 13",
        "Whether a player who has one of the tiles 11 and 13 cannot take the other.",
        words=NO_OR_YES,
    ),
    "start": START_PLAYER,
}


class HeckmeckRules(NamedTuple):
    """A table's number of players and options. The fields other than ``players`` are the options, in order."""

    players: int
    steal: str = "optional_or_fail"
    golden_die_faces: tuple[str, ...] = GOLDEN_FACES
    golden_die_use: str = "turn_start"
    canned: str = "auto"
    end_ignores_11_13: bool = False
    low_tiles_one_per_player: bool = False
    start: str = "seat0"

    @classmethod
    def of(cls, players: int, options: Options) -> Self:
        """Create the rules from validated options."""
        return cls(players, **{**options, "golden_die_faces": tuple(options["golden_die_faces"])})

    @property
    def ruleset(self) -> str:
        """The id of the ruleset. The rules of another version are a subclass that overrides it."""
        return ID

    def options(self) -> dict[str, Any]:
        return {**dict(zip(OPTIONS, self[1:], strict=True)), "golden_die_faces": list(self.golden_die_faces)}
