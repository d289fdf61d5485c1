"""Pickomino positions in one line."""

from typing import Any

from games.catalogue.grill.aside import ON_OR_STOP, aside_of
from games.catalogue.grill.tiles import tiles_mask_of
from games.catalogue.pickomino.board import PickominoBoard, PickominoPhase
from games.catalogue.pickomino.position import PickominoPosition
from games.catalogue.pickomino.rules import TILES, PickominoRules
from games.chance import FACES, chance_roll_text


def position(
    *stacks: tuple[int, ...], aside_: str, grill: Any = None, seat: int = 0, turn: int = 1, **options: Any
) -> PickominoPosition:
    """Seat ``seat`` may roll or stop with the dice of ``aside_`` ("WW44") aside. The grill has the tiles nobody has."""
    taken = {tile for stack in stacks for tile in stack}
    grill = [tile for tile in TILES if tile not in taken] if grill is None else grill
    facedown = [tile for tile in TILES if tile not in taken and tile not in grill]
    board = PickominoBoard(
        PickominoRules(len(stacks), **options),
        seat,
        turn,
        tiles_mask_of(grill),
        tiles_mask_of(facedown),
        stacks,
        None,
        "",
    )
    return PickominoPosition(board, aside_of(tuple(map(aside_.count, FACES))), PickominoPhase.DECIDE, "", ON_OR_STOP)


def play(state: PickominoPosition, *actions: str) -> PickominoPosition:
    """Plays legal actions; "roll" with dice is chance's answer: ``play(state, "roll", "roll 1 1")``."""
    for action in actions:
        state = state.play(state.read(action))
    return state


def tiles_of(state: PickominoPosition) -> list[int]:
    """All tiles, wherever they lie."""
    view = state.view(None)
    return sorted(view["grill"] + view["facedown"] + [tile for stack in view["stacks"] for tile in stack])


def roll(dice: str) -> str:
    """The text of a roll that shows ``dice``: "W", "1", ..."""
    return chance_roll_text([dice.count(face) for face in FACES])
