"""Cards and piles of cards. A pile is one integer: five bits with the count of each number, then a bit for each worm.

A pile is cheap to store, compare and hash. Addition combines two piles, and subtraction removes one from another. Equal
numbers are interchangeable. Cards are written "3" and "W7"; a type is one of "12345W". The contents of the box are read
from ``components.json``, which states its sources.
"""

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final, NamedTuple, TypeAlias

from games.chance import ChanceSource, chance_first_left

_BOX: Final[dict[str, Any]] = json.loads(files(__package__).joinpath("components.json").read_text(encoding="utf-8"))

NUMBERS: Final = "".join(map(str, _BOX["numbers"]["values"]))
CARDS_EACH: Final[int] = _BOX["numbers"]["cards_each"]
WORM_VALUE: Final[int] = _BOX["worms"]["value"]
TAGS: Final[tuple[int, ...]] = tuple(_BOX["worms"]["tags"])  # 1, 2, 3, ...: a worm's index is its tag minus 1
PORTIONS: Final[tuple[int, ...]] = tuple(_BOX["portions"]["values"])  # in ascending order, with duplicates
# For each different value, in ascending order
WORMS_ON: Final[tuple[int, ...]] = tuple(_BOX["worms_on_portions"]["values"])
HAND: Final[int] = _BOX["set_up"]["hand"]
IN_THE_BOX: Final[dict[int, int]] = {
    int(players): left for players, left in _BOX["set_up"]["portions_left_in_the_box"].items()
}


Pile: TypeAlias = int

TYPES: Final = NUMBERS + "W"
WIDTH: Final = 5  # bits for the count of a number: up to 31 cards
WORMS_AT: Final = WIDTH * len(NUMBERS)
MANY: Final = (1 << WIDTH) - 1
ONE: Final = {face: 1 << WIDTH * place for place, face in enumerate(NUMBERS)} | {
    f"W{tag}": 1 << WORMS_AT + place for place, tag in enumerate(TAGS)
}  # the pile with a single card, by its name
WHOLE_DECK: Final[Pile] = sum(one * (CARDS_EACH if name in NUMBERS else 1) for name, one in ONE.items())
DECK_SIZE: Final = CARDS_EACH * len(NUMBERS) + len(TAGS)
DRAWS: Final = {f"draw {name}": one for name, one in ONE.items()}


class Card(NamedTuple):
    """``draw 3`` or ``draw W7``: a card from ``deck``, which is not empty, by the ``Draw`` with ``key`` over 110 cards.

    In that draw, card 17 * i + c is copy c of the number 1 + i, and card 84 + t is the worm with tag t. If some copies
    of a number are gone, the first copies count as the ones that are left. So two games with the same seed differ in a
    draw only if one of them no longer has the card that the other draws.
    """

    key: str
    deck: Pile

    def draw(self, luck: ChanceSource) -> str:
        return _DRAW_OF[chance_first_left(luck, self.key, DECK_SIZE, _copies(self.deck))]


def cards_many(pile: Pile, face: str) -> int:
    """Return the number of cards of a type."""
    return cards_worms(pile).bit_count() if face == "W" else pile // ONE[face] & MANY


def cards_worms(pile: Pile) -> int:
    """Return the worms as a bit mask: bit 0 is tag 1."""
    return pile >> WORMS_AT


def cards_singles(pile: Pile) -> list[Pile]:
    """Return the cards of a pile, each as a pile of its own."""
    return [ONE[name] for name in _names(pile)]


@lru_cache(maxsize=1 << 12)
def cards_size(pile: Pile) -> int:
    return sum([pile >> shift & MANY for shift in _SHIFTS]) + cards_worms(pile).bit_count()


@lru_cache(maxsize=1 << 12)  # called repeatedly for the same displays
def cards_total(pile: Pile) -> int:
    """Return the sum of the cards."""
    numbers = sum([(pile >> shift & MANY) * value for value, shift in enumerate(_SHIFTS, 1)])
    return numbers + WORM_VALUE * cards_worms(pile).bit_count()


def cards_highest_tag(pile: Pile) -> int:
    """Return the highest tag of the pile's worms, 0 if there are none."""
    return cards_worms(pile).bit_length()


def cards_tags(pile: Pile) -> list[int]:
    """Return the tags of the pile's worms in ascending order."""
    mask, rising = cards_worms(pile), []
    while mask:
        rising.append((mask & -mask).bit_length())
        mask &= mask - 1
    return rising


def cards_names(pile: Pile) -> list[str]:
    """Return a new list of the cards: 1 to 5, then the worms by tag."""
    return [*_names(pile)]


@lru_cache(maxsize=1 << 12)  # a view names all piles, and few have changed since the last view
def _names(pile: Pile) -> list[str]:
    cards: list[str] = []
    for face, shift in zip(NUMBERS, _SHIFTS, strict=True):
        cards += [face] * (pile >> shift & MANY)
    return cards + [f"W{tag}" for tag in cards_tags(pile)]


def cards_draws(deck: Pile) -> tuple[str, ...]:
    """Return the draws that are possible from the deck."""
    return tuple(action for action, one in DRAWS.items() if cards_include(deck, one))


def cards_include(pile: Pile, one: Pile) -> bool:
    """Tell whether the card of the pile ``one`` is in ``pile``."""
    return bool(pile // one & (MANY if one < 1 << WORMS_AT else 1))


def _copies(deck: Pile) -> int:
    """Return the remaining cards, out of 110, as a bit mask."""
    left = cards_worms(deck) << CARDS_EACH * len(NUMBERS)
    for place, shift in enumerate(_SHIFTS):
        left |= (1 << (deck >> shift & MANY)) - 1 << CARDS_EACH * place
    return left


_SHIFTS: Final = range(0, WORMS_AT, WIDTH)
_DRAW_OF: Final = [f"draw {face}" for face in NUMBERS for _ in range(CARDS_EACH)] + [f"draw W{tag}" for tag in TAGS]


class Share(NamedTuple):
    """One seat's portion of the menu, and the cards that won it."""

    seat: int
    portion: int
    cards: Pile


def cards_shares(grill: tuple[int, ...], displays: dict[int, Pile]) -> tuple[Share, ...]:
    """Return the shares: the highest total gets the highest portion, and so on. Equal totals are ordered by the highest
    worm tag.

    ``displays`` are the valid combinations by seat, as many as there are portions on ``grill``.
    """
    order = sorted(
        displays, key=lambda seat: (cards_total(displays[seat]), cards_highest_tag(displays[seat])), reverse=True
    )
    portions = sorted(grill, reverse=True)
    return tuple(Share(seat, portion, displays[seat]) for seat, portion in zip(order, portions, strict=True))
