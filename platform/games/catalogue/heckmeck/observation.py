"""What a seat sees in Heckmeck, as floats; and positions from their facts."""

from functools import lru_cache
from typing import Any, Final

from games.catalogue.grill.aside import DICE, aside_of, aside_rolls
from games.catalogue.grill.observation import (
    grill_observation_hand,
    grill_observation_rolled,
    grill_observation_stacks,
    grill_observation_tiles,
    grill_observation_worms,
)
from games.catalogue.grill.tiles import tiles_mask_of, tiles_worms
from games.catalogue.heckmeck.array_view import ARRAY_RULES
from games.catalogue.heckmeck.board import HeckmeckBoard, heckmeck_board_worms_of
from games.catalogue.heckmeck.position import HeckmeckPosition
from games.catalogue.heckmeck.rules import (
    APPLE_WORMS,
    BRATWORMS,
    LOW_TILES,
    OUT,
    SPECIALISTS,
    TILES,
    TURN_CAP,
    HeckmeckRules,
)
from games.catalogue.heckmeck.turn import LEFT, Hand, HeckmeckPhase
from games.chance import FACES
from games.in_numbers import InNumbers, Row, around, from_here, one_of, part_of, parts_of, row
from games.ruleset import Options

ALL_WORMS: Final = tiles_worms(TILES) + BRATWORMS + APPLE_WORMS
NINE: Final = DICE + 1
PHASES: Final = {phase: one_of(len(HeckmeckPhase), place) for place, phase in enumerate(HeckmeckPhase)}
GOLDEN: Final = {"": one_of(7, -1)} | {face: one_of(7, place) for place, face in enumerate((*FACES, LEFT))}
YES_OR_NO: Final = row([0]), row([1])


def heckmeck_observation_layout(players: int, options: Options) -> dict[str, int]:
    return {
        "phase": len(PHASES),
        "actor": players,
        "turn": 1,  # as a fraction of the turn limit
        "grill": len(TILES),
        "facedown": len(TILES),
        "stacks": players * len(TILES),
        "worms": players,
        "specialists": len(SPECIALISTS) * (len(TILES) + players),  # for each specialist, its tile or seat
        "supply": 1,
        "bratworms": players,
        "aside": 6,  # by face, and so is "rolled"
        "dice_left": 1,
        "sum": 1,
        "rolled": 6,  # including the golden die
        "rolled_golden": 7,
        "golden_die": 7,  # the face with which it was set aside, or that it is not yet set aside
        "weasel_ready": 1,
    }


def heckmeck_observation_parts(position: HeckmeckPosition, seat: int) -> tuple[Row, ...]:
    board, hand, phase, roll, _ = position
    players = len(board.stacks)
    return (
        PHASES[phase],
        from_here(seat, position.actor, players),
        part_of(TURN_CAP * players, board.turn),
        grill_observation_tiles(TILES, board.grill),
        grill_observation_tiles(TILES, board.facedown),
        grill_observation_stacks(seat, TILES, board.stacks),
        grill_observation_worms(seat, ALL_WORMS, heckmeck_board_worms_of(board)),
        _specialists(seat, players, board.places),
        part_of(BRATWORMS, board.supply),
        parts_of(BRATWORMS, around(seat, board.bratworms)),
        grill_observation_hand(hand.aside),
        grill_observation_rolled(NINE, roll),
        GOLDEN[roll[-1] if "+" in roll else ""],
        GOLDEN[hand.golden],
        YES_OR_NO[position.weasel_ready],
    )


@lru_cache(maxsize=1 << 12)
def _specialists(seat: int, players: int, places: tuple[int, ...]) -> Row:
    return b"".join([one_of(len(TILES) + players, _place(seat, players, place)) for place in places])


def _place(seat: int, players: int, place: int) -> int:
    if place == OUT:
        return -1
    return len(TILES) + (place - seat) % players if place < LOW_TILES[0] else TILES.index(place)


def heckmeck_observation_restore(facts: Any, kind: type[HeckmeckRules] = HeckmeckRules) -> HeckmeckPosition:
    """Return the position with these facts. ``kind`` is the class of the version's rules."""
    rules, seat, turn, face_up, facedown, *pieces, over, counts, golden, rethrown, phase, rolled, choices = facts
    stacks, places, supply, bratworms = pieces
    table = (seat, turn, tiles_mask_of(face_up), tiles_mask_of(facedown), stacks, places, supply, bratworms, None, over)
    hand = Hand(aside_of(counts, NINE if golden else DICE), golden, rethrown)
    return HeckmeckPosition(HeckmeckBoard(kind(*rules), *table), hand, HeckmeckPhase(phase), rolled, choices)


def heckmeck_observation_chance_ways(players: int, options: Options) -> int:
    return len(aside_rolls(DICE)) * len(set(options["golden_die_faces"]))


IN_NUMBERS: Final = InNumbers(
    heckmeck_observation_layout,
    heckmeck_observation_parts,
    heckmeck_observation_restore,
    heckmeck_observation_chance_ways,
    ARRAY_RULES,
)
