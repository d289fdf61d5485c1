"""What may be seen of a position: everything, the game has no secrets. And the JSON schema that says so."""

from typing import TYPE_CHECKING, Any, Final

from games.chance import FACES
from games.rulesets.grill import schema, view
from games.rulesets.grill.aside import DICE
from games.rulesets.heckmeck.board import Ending, place_text
from games.rulesets.heckmeck.components import BRATWORMS, SPECIALISTS, TILES
from games.rulesets.heckmeck.rules import OPTIONS, SEATS
from games.rulesets.heckmeck.score import worms_of
from games.rulesets.heckmeck.turn import LEFT, Phase, dice_of
from games.schema import COUNT, for_each_seat, number, or_null, record, view_schema
from games.view import whole

if TYPE_CHECKING:
    from games.rulesets.heckmeck.position import Position

ID: Final = "heckmeck/1"
NINE_DICE: Final = DICE + 1


def position_view(position: "Position", seat: int | None) -> dict[str, Any]:
    """The view of ``seat``."""
    board, hand = position.board, position.hand
    return whole(
        ID,
        position,
        board.rules,
        seat,
        phase=position.phase.value,
        **view.on_the_table(board),
        specialists=dict(zip(SPECIALISTS, map(place_text, board.places), strict=True)),
        supply=board.supply,
        bratworms=list(board.bratworms),
        worms=list(worms_of(board)),
        **view.in_hand(hand.aside),
        golden_die=hand.golden or None,
        weasel_ready=position.weasel_ready,
        rolled=dice_of(position.rolled),
        last=ending_view(board.last) if board.last else None,
    )


def ending_view(ending: Ending) -> dict[str, Any]:
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

VIEW_SCHEMA: Final = view_schema(
    "Heckmeck",
    ID,
    OPTIONS,
    SEATS,
    phase={"enum": [phase.value for phase in Phase]},
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
            golden_die=_GOLDEN,
            flipped=or_null(_TILE),
            moved={"type": "array", "items": _MOVE},
        )
    ),
)
