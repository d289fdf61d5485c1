"""Worms, places and the tie-break (sheets 000 and 002, end of the game)."""

from typing import Final

from games.catalogue.karteneck.portions import VALUES
from games.catalogue.karteneck.rules import KarteneckRules
from games.state import Outcome

_PLACE: Final = {value: place for place, value in enumerate(VALUES)}


def stack_worms(rules: KarteneckRules, stack: tuple[int, ...]) -> int:
    return sum([rules.worms[_PLACE[value]] for value in stack])


def standing(rules: KarteneckRules, stacks: tuple[tuple[int, ...], ...]) -> Outcome:
    """Return places by worms; among equals the highest single portion is better, if only a 0; who are still equal
    share.
    """
    merits = [(stack_worms(rules, stack), max(stack, default=rules.without_portion)) for stack in stacks]
    points = tuple(worms for worms, _ in merits)
    places = tuple(1 + sum(other > own for other in merits) for own in merits)
    broken = len(set(merits)) > len(set(points))
    return Outcome(points, places, "reserve_empty", "highest_portion" if broken else "")
