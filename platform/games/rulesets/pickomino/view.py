"""What may be seen of a position: everything, Pickomino has no secrets. And the JSON schema that says so."""

from typing import TYPE_CHECKING, Any, Final

from games.rulesets.grill import schema, view
from games.rulesets.grill.aside import DICE
from games.rulesets.grill.tiles import HIGHEST, LOWEST, tiles
from games.rulesets.pickomino.board import Ending
from games.rulesets.pickomino.rules import OPTIONS, SEATS
from games.rulesets.pickomino.score import stack_worms
from games.rulesets.pickomino.turn import Phase
from games.schema import COUNT, distinct, for_each_seat, number, or_null, view_schema
from games.view import whole

if TYPE_CHECKING:
    from games.rulesets.pickomino.position import Position

ID: Final = "pickomino/1"


def position_view(position: "Position", seat: int | None) -> dict[str, Any]:
    """The view of ``seat``."""
    board = position.board
    return whole(
        ID,
        position,
        board.rules,
        seat,
        phase=position.phase.value,
        **view.on_the_table(board),
        worms=[stack_worms(stack) for stack in board.stacks],
        **view.in_hand(position.aside),
        rolled=position.rolled.split()[1:],
        last=ending_view(board.last) if board.last else None,
    )


def ending_view(ending: Ending) -> dict[str, Any]:
    return view.ending(ending, ending.aside, ending.rolled.split()[1:]) | {"flipped": tiles(ending.flipped)}


_TILE: Final = number(LOWEST, HIGHEST)

VIEW_SCHEMA: Final = view_schema(
    "Pickomino",
    ID,
    OPTIONS,
    SEATS,
    phase={"enum": [phase.value for phase in Phase]},
    **schema.on_the_table(_TILE, SEATS),
    worms=for_each_seat(COUNT, SEATS),
    **schema.in_hand(DICE),
    rolled=schema.rolled(DICE),
    last=or_null(schema.ending(_TILE, DICE, SEATS, flipped=distinct(_TILE))),
)
