"""The fields of a Karteneck position, and how a game is ranked."""

from enum import StrEnum
from typing import Final, NamedTuple

from games.catalogue.karteneck.cards import Pile, Share
from games.catalogue.karteneck.portions import VALUES, Portions
from games.catalogue.karteneck.rules import KarteneckRules
from games.catalogue.karteneck.table import Cards
from games.state import Outcome


class KarteneckPhase(StrEnum):
    START = "start"  # chance draws the start player
    DEAL = "deal"  # chance deals the hands, seat by seat
    REVEAL = "reveal"  # chance fills the grill
    TURN = "turn"
    WORMS = "worms"  # more worms may follow
    DRAW = "draw"  # chance draws for the seat
    OVER = "over"


class KarteneckEnding(NamedTuple):
    """The last pass. ``event`` is "pass" (with a worm), "steal" (with a worm and a theft) or "bust" (without a worm).

    ``menu`` has the shares after the last pass of a round, highest first, and is empty otherwise.
    """

    event: str
    seat: int
    cards: Pile  # the seat's display when it passed
    portion: int | None  # won at once: stolen, or the lowest of the grill
    victim: int | None
    menu: tuple[Share, ...]


class KarteneckFields(NamedTuple):
    rules: KarteneckRules
    phase: KarteneckPhase
    seat: int  # the seat to act or to draw
    turn: int
    round: int
    cards: Cards
    portions: Portions
    passed: tuple[str, ...]  # by seat: "", "valid" or "invalid"
    due: int  # cards that the seat must still draw
    tag: int  # of the last worm played, while more may follow
    starter: int  # who starts the next round: the last player who took a portion from the grill
    last: KarteneckEnding | None
    key: str  # the event that the last action caused, or ""


_PLACE: Final = {value: place for place, value in enumerate(VALUES)}


def karteneck_fields_stack_worms(rules: KarteneckRules, stack: tuple[int, ...]) -> int:
    return sum([rules.worms[_PLACE[value]] for value in stack])


def karteneck_fields_standing(rules: KarteneckRules, stacks: tuple[tuple[int, ...], ...]) -> Outcome:
    """Return places by worms. Seats with as many worms are ordered by their highest portion (a 0 counts, too). If that
    is equal too, they share a place.
    """
    merits = [
        (karteneck_fields_stack_worms(rules, stack), max(stack, default=rules.without_portion)) for stack in stacks
    ]
    points = tuple(worms for worms, _ in merits)
    places = tuple(1 + sum(other > own for other in merits) for own in merits)
    broken = len(set(merits)) > len(set(points))
    return Outcome(points, places, "reserve_empty", "highest_portion" if broken else "")
