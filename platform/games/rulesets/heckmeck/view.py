"""What may be seen of a position: everything, the game has no secrets. And the JSON schema that says so."""

from typing import Any, Final

from games.chance import FACES
from games.rulesets.grill import schema
from games.rulesets.grill.aside import DICE
from games.rulesets.grill.tiles import tiles
from games.rulesets.heckmeck.board import Board, Ending, place_text
from games.rulesets.heckmeck.components import BRATWORMS, SPECIALISTS, TILES
from games.rulesets.heckmeck.rules import OPTIONS
from games.rulesets.heckmeck.score import worms_of
from games.rulesets.heckmeck.turn import LEFT, Hand, Phase, dice_of

ID: Final = "heckmeck/1"
MOST: Final = 5 * (DICE + 1)


def position_view(
    board: Board,
    hand: Hand,
    phase: Phase,
    rolled: str,
    choices: tuple[str, ...],
    weasel_ready: bool,
    seat: int | None,
) -> dict[str, Any]:
    """The view of ``seat``. The actor -1 is chance, or nobody when the game is over."""
    actor, aside = board.seat if choices else -1, hand.aside
    return {
        "game": ID,
        "options": board.rules.options(),
        "you": seat,
        "players": board.rules.players,
        "actor": actor,
        "phase": phase.value,
        "turn": board.turn,
        "grill": tiles(board.grill),
        "facedown": tiles(board.facedown),
        "stacks": [list(stack) for stack in board.stacks],
        "specialists": dict(zip(SPECIALISTS, map(place_text, board.places), strict=True)),
        "supply": board.supply,
        "bratworms": list(board.bratworms),
        "worms": list(worms_of(board)),
        "aside": dict(zip(FACES, aside.counts, strict=True)),
        "sum": aside.total,
        "dice_left": aside.left,
        "golden_die": hand.golden or None,
        "weasel_ready": weasel_ready,
        "rolled": dice_of(rolled),
        "last": ending_view(board.last) if board.last else None,
        "actions": list(choices) if seat == actor else [],
    }


def ending_view(ending: Ending) -> dict[str, Any]:
    return {
        "event": ending.event,
        "why": ending.why,
        "seat": ending.seat,
        "aside": dict(zip(FACES, ending.aside.counts, strict=True)),
        "golden_die": ending.golden or None,
        "rolled": dice_of(ending.rolled),
        "total": ending.total,
        "tile": ending.tile or None,
        "from": None if ending.victim < 0 else ending.victim,
        "returned": ending.returned or None,
        "flipped": ending.flipped or None,
        "moved": [
            {"specialist": SPECIALISTS[move.specialist], "from": place_text(move.here), "to": place_text(move.there)}
            for move in ending.moved
        ],
    }


_TILE: Final = {"enum": list(TILES)}
_TILES: Final = schema.tiles(_TILE)
_PLACE: Final = {"type": "string", "pattern": "^(tile [1-3][0-9]|seat [0-6]|out)$"}
_GOLDEN: Final = {"enum": [None, LEFT, *FACES]}
_BY_SEAT: Final = {"type": "array", "items": schema.number(0), "minItems": 2, "maxItems": 7}

_LAST: Final = schema.record(
    **{
        "event": {"enum": ["take", "steal", "bust"]},
        "why": {"enum": ["", "no_face", "no_worm", "no_tile"]},
        "seat": schema.SEAT,
        "aside": schema.aside(DICE + 1),
        "golden_die": _GOLDEN,
        "rolled": schema.rolled(DICE + 1),
        "total": schema.number(0, MOST),
        "tile": schema.or_null(_TILE),
        "from": schema.or_null(schema.SEAT),
        "returned": schema.or_null(_TILE),
        "flipped": schema.or_null(_TILE),
        "moved": {
            "type": "array",
            "items": schema.record(**{"specialist": {"enum": list(SPECIALISTS)}, "from": _PLACE, "to": _PLACE}),
        },
    }
)

VIEW_SCHEMA: Final = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Heckmeck, one view",
} | schema.record(
    game={"const": ID},
    options=schema.record(**{name: option.schema() for name, option in OPTIONS.items()}),
    you=schema.or_null(schema.SEAT),
    players=schema.number(2, 7),
    actor=schema.number(-1, 6),
    phase={"enum": [phase.value for phase in Phase]},
    turn=schema.number(0),
    grill=_TILES,
    facedown=_TILES,
    stacks={"type": "array", "items": _TILES, "minItems": 2, "maxItems": 7},
    specialists=schema.record(**dict.fromkeys(SPECIALISTS, _PLACE)),
    supply=schema.number(0, BRATWORMS),
    bratworms=_BY_SEAT,
    worms=_BY_SEAT,
    aside=schema.aside(DICE + 1),
    sum=schema.number(0, MOST),
    dice_left=schema.number(0, DICE + 1),
    golden_die=_GOLDEN,
    weasel_ready={"type": "boolean"},
    rolled=schema.rolled(DICE + 1),
    last=schema.or_null(_LAST),
    actions=schema.ACTIONS,
)
