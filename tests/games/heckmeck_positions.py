"""Positions of the anniversary edition in one line."""

from collections.abc import Mapping
from typing import Any

from games.catalogue.grill.aside import DICE, ON_OR_STOP, aside_of
from games.catalogue.grill.tiles import tiles_mask_of
from games.catalogue.heckmeck.board import HeckmeckBoard
from games.catalogue.heckmeck.position import HeckmeckPosition, heckmeck_position_next_turn
from games.catalogue.heckmeck.rules import BRATWORMS, OUT, SET_UP, SPECIALISTS, TILES, HeckmeckRules
from games.catalogue.heckmeck.turn import LEFT, Hand, HeckmeckPhase
from games.chance import FACES, chance_roll_text


def position(
    *stacks: tuple[int, ...],
    aside_: str,
    grill: Any = None,
    places: Mapping[str, int] | None = None,
    bratworms: tuple[int, ...] = (),
    supply: int | None = None,
    seat: int = 0,
    turn: int = 1,
    **options: Any,
) -> HeckmeckPosition:
    """Seat ``seat`` may roll or stop with the dice of ``aside_`` ("WW44") aside; "" is a turn before its first roll.

    The grill has the tiles nobody has. Specialists that ``places`` does not name (tile, seat or OUT) stand on their
    first tile; they are out of the game where that is not on the grill. The golden die is left if its owner plays.
    """
    taken = {tile for stack in stacks for tile in stack}
    grill = [tile for tile in TILES if tile not in taken] if grill is None else grill
    facedown = [tile for tile in TILES if tile not in taken and tile not in grill]
    first = {name: tile if tile in grill else OUT for name, tile in zip(SPECIALISTS, SET_UP, strict=True)}
    where = {**{name: at for name, at in first.items() if at not in (places or {}).values()}, **(places or {})}
    bratworms = bratworms or (0,) * len(stacks)
    board = HeckmeckBoard(
        HeckmeckRules(len(stacks), **options),
        *(
            seat,
            turn,
            tiles_mask_of(grill),
            tiles_mask_of(facedown),
            stacks,
            tuple(where.get(name, OUT) for name in SPECIALISTS),
        ),
        *(BRATWORMS - sum(bratworms) if supply is None else supply, bratworms, None, ""),
    )
    if not aside_:
        return heckmeck_position_next_turn(board)
    counts = tuple(map(aside_.count, FACES))
    golden = where["golden_die"] == seat
    hand = Hand(aside_of(counts, DICE + 1 if golden else DICE), LEFT if golden else "", -1)
    return HeckmeckPosition(board, hand, HeckmeckPhase.DECIDE, "", ON_OR_STOP)


def play(state: HeckmeckPosition, *actions: str) -> HeckmeckPosition:
    """Plays legal actions; "roll" with dice is chance's answer: ``play(state, "roll", "roll 1 1")``."""
    for action in actions:
        state = state.play(state.read(action))
    return state


def roll(dice: str, golden: str = "") -> str:
    """The text of a roll that shows ``dice``, and ``golden`` on the golden die."""
    white = chance_roll_text([dice.count(face) for face in FACES]).rstrip()
    return f"{white} +{golden}" if golden else white


def last(state: HeckmeckPosition) -> Any:
    return state.view(None)["last"]


def where(state: HeckmeckPosition, name: str) -> str:
    return str(state.view(None)["specialists"][name])


def chance_of(state: HeckmeckPosition) -> Any:
    return state.chance()


def stacks(state: HeckmeckPosition) -> Any:
    return state.view(None)["stacks"]
