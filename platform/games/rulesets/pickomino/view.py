"""What may be seen of a position: everything, Pickomino has no secrets. And the JSON schema that says so."""

from typing import Any, Final

from games.chance import FACES
from games.rulesets.grill import schema
from games.rulesets.grill.aside import DICE, Aside
from games.rulesets.grill.tiles import HIGHEST, LOWEST, tiles
from games.rulesets.pickomino.board import Board, Ending
from games.rulesets.pickomino.rules import OPTIONS
from games.rulesets.pickomino.score import stack_worms
from games.rulesets.pickomino.turn import Phase

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


_TILE: Final = schema.number(LOWEST, HIGHEST)
_TILES: Final = schema.tiles(_TILE)

_LAST: Final = schema.record(
    **{
        "event": {"enum": ["take", "steal", "bust"]},
        "why": {"enum": ["", "no_face", "no_worm", "no_tile"]},
        "seat": schema.SEAT,
        "aside": schema.aside(DICE),
        "rolled": schema.rolled(DICE),
        "total": schema.number(0, 40),
        "tile": schema.or_null(_TILE),
        "from": schema.or_null(schema.SEAT),
        "returned": schema.or_null(_TILE),
        "flipped": _TILES,
    }
)

VIEW_SCHEMA: Final = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Pickomino, one view",
} | schema.record(
    game={"const": ID},
    options=schema.record(**{name: option.schema() for name, option in OPTIONS.items()}),
    you=schema.or_null(schema.SEAT),
    players=schema.number(2, 7),
    actor=schema.number(-1, 6),
    phase={"enum": ["start", "roll", "choose", "decide", "steal", "lower", "over"]},
    turn=schema.number(0),
    grill=_TILES,
    facedown=_TILES,
    stacks={"type": "array", "items": _TILES, "minItems": 2, "maxItems": 7},
    worms={"type": "array", "items": schema.number(0)},
    aside=schema.aside(DICE),
    sum=schema.number(0, 40),
    dice_left=schema.number(0, DICE),
    rolled=schema.rolled(DICE),
    last=schema.or_null(_LAST),
    actions=schema.ACTIONS,
)
