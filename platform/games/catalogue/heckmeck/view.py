"""What may be seen of a position: everything, the game has no secrets. And the JSON schema that says so."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from games.catalogue.grill import schema, view
from games.catalogue.grill.aside import DICE
from games.catalogue.heckmeck.board import HeckmeckEnding, place_text
from games.catalogue.heckmeck.components import BRATWORMS, SPECIALISTS, TILES
from games.catalogue.heckmeck.fields import HeckmeckFields, weasel_ready
from games.catalogue.heckmeck.meanings import MEANINGS
from games.catalogue.heckmeck.rules import SEATS
from games.catalogue.heckmeck.score import worms_of
from games.catalogue.heckmeck.turn import LEFT, HeckmeckPhase, dice_of
from games.chance import FACES
from games.ruleset import Option
from games.schema import COUNT, for_each_seat, number, or_null, record, view_schema

NINE_DICE: Final = DICE + 1


def visible(position: HeckmeckFields) -> dict[str, Any]:
    """Return what every seat sees of a position, besides what the views of all games have."""
    board, hand = position.board, position.hand
    return {
        "phase": position.phase._value_,
        **view.on_the_table(board),
        "specialists": {**_specialists(board.places)},
        "supply": board.supply,
        "bratworms": list(board.bratworms),
        "worms": list(worms_of(board)),
        **view.in_hand(hand.aside),
        "golden_die": hand.golden or None,
        "weasel_ready": weasel_ready(board, hand),
        "rolled": dice_of(position.rolled),
        "last": ending_view(board.last) if board.last else None,
    }


@lru_cache(maxsize=1 << 10)
def _specialists(places: tuple[int, ...]) -> dict[str, str]:
    return dict(zip(SPECIALISTS, map(place_text, places), strict=True))


def ending_view(ending: HeckmeckEnding) -> dict[str, Any]:
    """Return how a turn ended; the dictionary and all in it are the caller's own."""
    kept = _ending_view(ending)
    moved = [{**move} for move in kept["moved"]]
    return {**kept, "aside": {**kept["aside"]}, "rolled": [*kept["rolled"]], "moved": moved}


@lru_cache(maxsize=256)  # it is in every view until the next turn has ended
def _ending_view(ending: HeckmeckEnding) -> dict[str, Any]:
    return view.ending(ending, ending.aside.counts, dice_of(ending.rolled)) | {
        "golden_die": ending.golden or None,
        "flipped": ending.flipped or None,
        "moved": [
            {"specialist": SPECIALISTS[move.specialist], "from": place_text(move.here), "to": place_text(move.there)}
            for move in ending.moved
        ],
    }


_TILE: Final = {"enum": list(TILES)}
_PLACE: Final[dict[str, Any]] = {"type": "string", "pattern": "^(tile [1-3][0-9]|seat [0-6]|out)$"}
_GOLDEN: Final = {"enum": [None, LEFT, *FACES]}
_MOVE: Final = record(**{"specialist": {"enum": list(SPECIALISTS)}, "from": _PLACE, "to": _PLACE})


def schema_of(ruleset: str, options: Mapping[str, Option]) -> dict[str, Any]:
    """Return the JSON schema of every view of the version with the id ``ruleset``, which has those ``options``."""
    fails = "optional_or_fail" in options["steal"].allowed
    return view_schema(
        "Heckmeck",
        ruleset,
        options,
        SEATS,
        MEANINGS,
        phase={"enum": [phase.value for phase in HeckmeckPhase]},
        **schema.on_the_table(_TILE, SEATS),
        specialists=record(**dict.fromkeys(SPECIALISTS, _PLACE)),
        supply=number(0, BRATWORMS),
        bratworms=for_each_seat(COUNT, SEATS),
        worms=for_each_seat(COUNT, SEATS),
        **schema.in_hand(NINE_DICE),
        golden_die=_GOLDEN,
        weasel_ready={"type": "boolean"},
        rolled=schema.rolled(NINE_DICE),
        last=or_null(
            schema.ending(
                _TILE,
                NINE_DICE,
                SEATS,
                (*schema.WHY, "declined") if fails else schema.WHY,
                golden_die=_GOLDEN,
                flipped=or_null(_TILE),
                moved={"type": "array", "items": _MOVE},
            )
        ),
    )
