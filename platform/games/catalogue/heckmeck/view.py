"""The view of a Heckmeck position, which hides nothing, and its JSON schema."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from games.catalogue.grill import view
from games.catalogue.grill.aside import DICE
from games.catalogue.grill.presentation import grill_presentation_table, grill_presentation_top_tile
from games.catalogue.grill.view import MEANINGS as OF_THE_GRILL
from games.catalogue.heckmeck.board import (
    HeckmeckEnding,
    HeckmeckFields,
    heckmeck_board_place_text,
    heckmeck_board_weasel_ready,
    heckmeck_board_worms_of,
)
from games.catalogue.heckmeck.rules import BRATWORMS, SEATS, SPECIALISTS, TILES
from games.catalogue.heckmeck.turn import LEFT, HeckmeckPhase, heckmeck_turn_golden_faces
from games.chance import FACES
from games.picture import Drawing, PictureRow, View
from games.ruleset import Option
from games.schema import COUNT, for_each_seat, number, or_null, record, view_schema

MEANINGS: Final[Mapping[str, str]] = {
    **OF_THE_GRILL,
    "phase": "what is to be done now, such as choose a face, or decide between rolling on and stopping",
    "specialists": "where each specialist is",
    "specialists.*": "on a tile of the grill, with a seat, or out of the game",
    "supply": "bratworms that nobody has yet",
    "bratworms": "the bratworms of each seat",
    "golden_die": "the face of the golden die in this turn, left if it is still to be thrown, or null without it",
    "weasel_ready": "whether the player to act has the weasel and may still throw a roll again in this turn",
    "last": "the last take, theft or bust: of the turn before, or of this one while the phase is keep or raven",
    "last.why": "what a failed turn lacked: a new face, a worm or a tile; declined, if the player declined to steal",
    "last.golden_die": "the golden die of that turn, or null",
    "last.flipped": "the tile that was turned face down for the rest of the game, or null",
    "last.moved": "specialists that moved",
    "last.moved[].specialist": "which one",
    "last.moved[].from": "where it was",
    "last.moved[].to": "where it is now",
}


NINE_DICE: Final = DICE + 1


def heckmeck_view_visible(position: HeckmeckFields) -> dict[str, Any]:
    """Return the game's own part of a view, which is the same for every seat."""
    board, hand = position.board, position.hand
    return {
        "phase": position.phase._value_,
        **view.grill_view_table(board),
        "specialists": {**_specialists(board.places)},
        "supply": board.supply,
        "bratworms": list(board.bratworms),
        "worms": list(heckmeck_board_worms_of(board)),
        **view.grill_view_hand(hand.aside),
        "golden_die": hand.golden or None,
        "weasel_ready": heckmeck_board_weasel_ready(board, hand),
        "rolled": heckmeck_turn_golden_faces(position.rolled),
        "last": heckmeck_view_ending(board.last) if board.last else None,
    }


@lru_cache(maxsize=1 << 10)
def _specialists(places: tuple[int, ...]) -> dict[str, str]:
    return dict(zip(SPECIALISTS, map(heckmeck_board_place_text, places), strict=True))


def heckmeck_view_ending(ending: HeckmeckEnding) -> dict[str, Any]:
    """Return how a turn ended, in a new dictionary."""
    kept = _ending_view(ending)
    moved = [{**move} for move in kept["moved"]]
    return {**kept, "aside": {**kept["aside"]}, "rolled": [*kept["rolled"]], "moved": moved}


@lru_cache(maxsize=256)  # the same ending is in every view until the next turn has ended
def _ending_view(ending: HeckmeckEnding) -> dict[str, Any]:
    return view.grill_view_ending(ending, ending.aside.counts, heckmeck_turn_golden_faces(ending.rolled)) | {
        "golden_die": ending.golden or None,
        "flipped": ending.flipped or None,
        "moved": [
            {
                "specialist": SPECIALISTS[move.specialist],
                "from": heckmeck_board_place_text(move.here),
                "to": heckmeck_board_place_text(move.there),
            }
            for move in ending.moved
        ],
    }


_TILE: Final = {"enum": list(TILES)}
_PLACE: Final[dict[str, Any]] = {"type": "string", "pattern": "^(tile [1-3][0-9]|seat [0-6]|out)$"}
_GOLDEN: Final = {"enum": [None, LEFT, *FACES]}
_MOVE: Final = record(**{"specialist": {"enum": list(SPECIALISTS)}, "from": _PLACE, "to": _PLACE})


def heckmeck_view_schema_of(ruleset: str, options: Mapping[str, Option]) -> dict[str, Any]:
    """Return the JSON schema of every view of the ruleset with the id ``ruleset`` and these ``options``."""
    fails = "optional_or_fail" in options["steal"].allowed
    return view_schema(
        "Heckmeck",
        ruleset,
        options,
        SEATS,
        MEANINGS,
        phase={"enum": [phase.value for phase in HeckmeckPhase]},
        **view.grill_view_table_schema(_TILE, SEATS),
        specialists=record(**dict.fromkeys(SPECIALISTS, _PLACE)),
        supply=number(0, BRATWORMS),
        bratworms=for_each_seat(COUNT, SEATS),
        worms=for_each_seat(COUNT, SEATS),
        **view.grill_view_hand_schema(NINE_DICE),
        golden_die=_GOLDEN,
        weasel_ready={"type": "boolean"},
        rolled=view.grill_view_rolled_schema(NINE_DICE),
        last=or_null(
            view.grill_view_ending_schema(
                _TILE,
                NINE_DICE,
                SEATS,
                (*view.WHY, "declined") if fails else view.WHY,
                golden_die=_GOLDEN,
                flipped=or_null(_TILE),
                moved={"type": "array", "items": _MOVE},
            )
        ),
    )


def heckmeck_view_draw(view: View, paints: Sequence[str]) -> Drawing:
    """Draw the small picture, see ``games.picture.Painter``. A star is a seat's specialist; a spot is one on a tile."""
    places = [place.split() for place in view["specialists"].values()]
    guarded = {int(place[1]) for place in places if place[0] == "tile"}
    owned = [sum(place == ["seat", str(seat)] for place in places) for seat in range(len(paints))]
    rows = [
        PictureRow(worms, f"{'*' * owned[seat]} {grill_presentation_top_tile(stack)}".strip())
        for seat, (worms, stack) in enumerate(zip(view["worms"], view["stacks"], strict=True))
    ]
    return Drawing(grill_presentation_table(view, TILES, 5, guarded), rows, view["phase"] == "over")
