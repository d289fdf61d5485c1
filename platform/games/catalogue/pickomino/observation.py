"""What a seat sees in Pickomino, as floats; and positions from their facts."""

from functools import lru_cache
from typing import Any, Final

from games.catalogue.grill.aside import DICE, ON_OR_STOP, STEAL_OR_NOT, aside_of, aside_rolls
from games.catalogue.grill.observation import (
    grill_observation_hand,
    grill_observation_rolled,
    grill_observation_stacks,
    grill_observation_tiles,
    grill_observation_worms,
)
from games.catalogue.grill.tiles import Stacks, tiles_listed, tiles_mask_of, tiles_worms
from games.catalogue.pickomino.arrays import ARRAY_RULES
from games.catalogue.pickomino.board import PickominoBoard, PickominoFields, PickominoPhase
from games.catalogue.pickomino.position import PickominoPosition
from games.catalogue.pickomino.rules import TILES, TURN_CAP, PickominoRules
from games.in_numbers import InNumbers, Row, one_of, part_of
from games.ruleset import Options

ALL: Final = tuple(TILES)
ALL_WORMS: Final = tiles_worms(ALL)
PHASES: Final = {phase: one_of(len(PickominoPhase), place) for place, phase in enumerate(PickominoPhase)}


def pickomino_observation_layout(players: int, options: Options) -> dict[str, int]:
    return {
        "phase": len(PHASES),
        "actor": players,
        "turn": 1,  # as a fraction of the turn limit
        "grill": len(ALL),
        "facedown": len(ALL),
        "stacks": players * len(ALL),
        "worms": players,
        "aside": 6,  # by face, and so is "rolled"
        "dice_left": 1,
        "sum": 1,
        "rolled": 6,
    }


def pickomino_observation_parts(position: PickominoPosition, seat: int) -> tuple[Row, ...]:
    board, hand, phase, roll, choices = position
    _, actor, turn, face_up, facedown, stacks, _, _ = board
    players = len(stacks)
    return (
        PHASES[phase],
        one_of(players, (actor - seat) % players if choices else -1),  # like from_here, but saves a call
        part_of(TURN_CAP * players, turn),
        _on_table(seat, face_up, facedown, stacks),
        grill_observation_hand(hand),
        grill_observation_rolled(DICE, roll),
    )


@lru_cache(maxsize=1 << 12)  # it changes once in a turn
def _on_table(seat: int, face_up: int, facedown: int, stacks: Stacks) -> Row:
    return (
        grill_observation_tiles(ALL, face_up)
        + grill_observation_tiles(ALL, facedown)
        + grill_observation_stacks(seat, ALL, stacks)
        + grill_observation_worms(seat, ALL_WORMS, [*map(tiles_worms, stacks)])
    )


def pickomino_observation_restore(facts: Any) -> PickominoPosition:
    rules, seat, turn, face_up, facedown, stacks, over, counts, phase, rolled = facts
    board = PickominoBoard(
        PickominoRules(*rules), seat, turn, tiles_mask_of(face_up), tiles_mask_of(facedown), stacks, None, over
    )
    fields = PickominoFields(board, aside_of(counts), PickominoPhase(phase), rolled, ())
    return PickominoPosition(*fields[:4], _choices(fields))


def _choices(fields: PickominoFields) -> tuple[str, ...]:
    if fields.phase is PickominoPhase.CHOOSE:
        return fields.aside.choices(fields.rolled)
    if fields.phase is PickominoPhase.LOWER:
        return tuple([f"tile {tile}" for tile in tiles_listed(fields.board.lower(fields.aside.total))])
    return {PickominoPhase.DECIDE: ON_OR_STOP, PickominoPhase.STEAL: STEAL_OR_NOT}.get(fields.phase, ())


def pickomino_observation_chance_ways(players: int, options: Options) -> int:
    return len(aside_rolls(DICE))


IN_NUMBERS: Final = InNumbers(
    pickomino_observation_layout,
    pickomino_observation_parts,
    pickomino_observation_restore,
    pickomino_observation_chance_ways,
    ARRAY_RULES,
)
