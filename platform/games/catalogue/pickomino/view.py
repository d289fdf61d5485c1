"""The view of a Pickomino position, which hides nothing, and its JSON schema."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from games.catalogue.grill import view
from games.catalogue.grill.aside import DICE
from games.catalogue.grill.presentation import grill_presentation_table, grill_presentation_top_tile
from games.catalogue.grill.tiles import HIGHEST, LOWEST, tiles_listed, tiles_worms
from games.catalogue.grill.view import MEANINGS as OF_THE_GRILL
from games.catalogue.pickomino.board import PickominoEnding, PickominoFields, PickominoPhase
from games.catalogue.pickomino.rules import SEATS
from games.picture import Drawing, PictureRow, View
from games.ruleset import Option
from games.schema import COUNT, distinct, for_each_seat, number, or_null, view_schema

MEANINGS: Final[Mapping[str, str]] = {
    **OF_THE_GRILL,
    "phase": "choose a face, decide between rolling on and stopping, steal or not, lower: which tile to take",
    "last.flipped": "tiles that were turned face down for the rest of the game",
}


def pickomino_view_visible(position: PickominoFields) -> dict[str, Any]:
    """Return the game's own part of a view, which is the same for every seat."""
    board = position.board
    return {
        "phase": position.phase._value_,  # five times as fast as the property
        **view.grill_view_table(board),
        "worms": [tiles_worms(stack) for stack in board.stacks],
        **view.grill_view_hand(position.aside),
        "rolled": position.rolled.split()[1:],
        "last": pickomino_view_ending(board.last) if board.last else None,
    }


def pickomino_view_ending(ending: PickominoEnding) -> dict[str, Any]:
    """Return how a turn ended, in a new dictionary."""
    kept = _ending_view(ending)
    return {**kept, "aside": {**kept["aside"]}, "rolled": [*kept["rolled"]], "flipped": [*kept["flipped"]]}


@lru_cache(maxsize=256)  # the same ending is in every view until the next turn has ended
def _ending_view(ending: PickominoEnding) -> dict[str, Any]:
    shown = view.grill_view_ending(ending, ending.aside, ending.rolled.split()[1:])
    return shown | {"flipped": tiles_listed(ending.flipped)}


_TILE: Final = number(LOWEST, HIGHEST)


def pickomino_view_schema_of(ruleset: str, options: Mapping[str, Option]) -> dict[str, Any]:
    """Return the JSON schema of every view of the ruleset with the id ``ruleset`` and these ``options``."""
    return view_schema(
        "Pickomino",
        ruleset,
        options,
        SEATS,
        MEANINGS,
        phase={"enum": [phase.value for phase in PickominoPhase]},
        **view.grill_view_table_schema(_TILE, SEATS),
        worms=for_each_seat(COUNT, SEATS),
        **view.grill_view_hand_schema(DICE),
        rolled=view.grill_view_rolled_schema(DICE),
        last=or_null(view.grill_view_ending_schema(_TILE, DICE, SEATS, flipped=distinct(_TILE))),
    )


def pickomino_view_draw(view: View, paints: Sequence[str]) -> Drawing:
    """Draw the small picture, see ``games.picture.Painter``."""
    rows = [
        PictureRow(worms, grill_presentation_top_tile(stack))
        for worms, stack in zip(view["worms"], view["stacks"], strict=True)
    ]
    return Drawing(grill_presentation_table(view, range(LOWEST, HIGHEST + 1), 4), rows, view["phase"] == "over")
