"""What may be seen of a position: everything, Pickomino has no secrets. And the JSON schema that says so."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from games.catalogue.grill import schema, view
from games.catalogue.grill.aside import DICE
from games.catalogue.grill.score import stack_worms
from games.catalogue.grill.tiles import HIGHEST, LOWEST, tiles
from games.catalogue.pickomino.board import PickominoEnding
from games.catalogue.pickomino.fields import PickominoFields, PickominoPhase
from games.catalogue.pickomino.meanings import MEANINGS
from games.catalogue.pickomino.rules import SEATS
from games.ruleset import Option
from games.schema import COUNT, distinct, for_each_seat, number, or_null, view_schema


def visible(position: PickominoFields) -> dict[str, Any]:
    """Return what every seat sees of a position, besides what the views of all games have."""
    board = position.board
    return {
        "phase": position.phase._value_,  # at a fifth of the time that the property takes
        **view.on_the_table(board),
        "worms": [stack_worms(stack) for stack in board.stacks],
        **view.in_hand(position.aside),
        "rolled": position.rolled.split()[1:],
        "last": ending_view(board.last) if board.last else None,
    }


def ending_view(ending: PickominoEnding) -> dict[str, Any]:
    """Return how a turn ended; the dictionary and all in it are the caller's own."""
    kept = _ending_view(ending)
    return {**kept, "aside": {**kept["aside"]}, "rolled": [*kept["rolled"]], "flipped": [*kept["flipped"]]}


@lru_cache(maxsize=256)  # it is in every view until the next turn has ended
def _ending_view(ending: PickominoEnding) -> dict[str, Any]:
    return view.ending(ending, ending.aside, ending.rolled.split()[1:]) | {"flipped": tiles(ending.flipped)}


_TILE: Final = number(LOWEST, HIGHEST)


def schema_of(ruleset: str, options: Mapping[str, Option]) -> dict[str, Any]:
    """Return the JSON schema of every view of the version with the id ``ruleset``, which has those ``options``."""
    return view_schema(
        "Pickomino",
        ruleset,
        options,
        SEATS,
        MEANINGS,
        phase={"enum": [phase.value for phase in PickominoPhase]},
        **schema.on_the_table(_TILE, SEATS),
        worms=for_each_seat(COUNT, SEATS),
        **schema.in_hand(DICE),
        rolled=schema.rolled(DICE),
        last=or_null(schema.ending(_TILE, DICE, SEATS, flipped=distinct(_TILE))),
    )
