"""What may be seen of a position: everything, Pickomino has no secrets. And the JSON schema that says so."""

from typing import Any, Final

from games.chance import FACES
from games.rulesets.pickomino.board import Board, Ending
from games.rulesets.pickomino.rules import HIGHEST, LOWEST, OPTIONS, tiles
from games.rulesets.pickomino.score import stack_worms
from games.rulesets.pickomino.turn import Aside, Phase

ID: Final = "pickomino/1"


def position_view(
    board: Board, aside: Aside, phase: Phase, rolled: str, choices: tuple[str, ...], seat: int | None
) -> dict[str, Any]:
    """The view of ``seat``. The actor -1 is chance, or nobody when the game is over."""
    actor = board.seat if choices else -1
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
        "worms": [stack_worms(stack) for stack in board.stacks],
        "aside": dict(zip(FACES, aside.counts, strict=True)),
        "sum": aside.total,
        "dice_left": aside.left,
        "rolled": rolled.split()[1:],
        "last": ending_view(board.last) if board.last else None,
        "actions": list(choices) if seat == actor else [],
    }


def ending_view(ending: Ending) -> dict[str, Any]:
    return {
        "event": ending.event,
        "why": ending.why,
        "seat": ending.seat,
        "aside": dict(zip(FACES, ending.aside, strict=True)),
        "rolled": ending.rolled.split()[1:],
        "total": ending.total,
        "tile": ending.tile or None,
        "from": None if ending.victim < 0 else ending.victim,
        "returned": ending.returned or None,
        "flipped": tiles(ending.flipped),
    }


def _object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


_SEAT: Final = {"type": "integer", "minimum": 0, "maximum": 6}
_TILE: Final = {"type": "integer", "minimum": LOWEST, "maximum": HIGHEST}
_TILES: Final = {"type": "array", "items": _TILE, "uniqueItems": True}
_ROLLED: Final = {"type": "array", "items": {"enum": list(FACES)}, "maxItems": 8}
_ASIDE: Final = _object(**{face: {"type": "integer", "minimum": 0, "maximum": 8} for face in FACES})


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


_LAST: Final = _object(
    **{
        "event": {"enum": ["take", "steal", "bust"]},
        "why": {"enum": ["", "no_face", "no_worm", "no_tile"]},
        "seat": _SEAT,
        "aside": _ASIDE,
        "rolled": _ROLLED,
        "total": {"type": "integer", "minimum": 0, "maximum": 40},
        "tile": _or_null(_TILE),
        "from": _or_null(_SEAT),
        "returned": _or_null(_TILE),
        "flipped": _TILES,
    }
)

VIEW_SCHEMA: Final = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Pickomino, one view",
} | _object(
    game={"const": ID},
    options=_object(**{name: option.schema() for name, option in OPTIONS.items()}),
    you=_or_null(_SEAT),
    players={"type": "integer", "minimum": 2, "maximum": 7},
    actor={"type": "integer", "minimum": -1, "maximum": 6},
    phase={"enum": ["start", "roll", "choose", "decide", "steal", "lower", "over"]},
    turn={"type": "integer", "minimum": 0},
    grill=_TILES,
    facedown=_TILES,
    stacks={"type": "array", "items": _TILES, "minItems": 2, "maxItems": 7},
    worms={"type": "array", "items": {"type": "integer", "minimum": 0}},
    aside=_ASIDE,
    sum={"type": "integer", "minimum": 0, "maximum": 40},
    dice_left={"type": "integer", "minimum": 0, "maximum": 8},
    rolled=_ROLLED,
    last=_or_null(_LAST),
    actions={"type": "array", "items": {"type": "string"}, "uniqueItems": True},
)
