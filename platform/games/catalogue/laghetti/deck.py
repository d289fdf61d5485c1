"""The deck of In cammino tra i laghetti: 24 cards with values for altitude (Q), area (S), hut (C) and trail (T).

Sheet 003 prints that each card has a value from 1 to 24 for four features. Its examples imply that there are 24 cards,
and that in each feature every value occurs once (nobody can beat a 24, and there are no ties). The values of the real
cards are unknown. LAKES was invented for the sheet's examples and is named LA-deck in the test vectors. The rules do
not depend on its values, and a tournament may use another deck.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, TypeAlias

from games.ruleset import Form, FormError

FEATURES: Final = "QSCT"  # quota, superficie, capanna, tracciato
CARDS: Final = 24
VALUES: Final = range(1, CARDS + 1)

Deck: TypeAlias = tuple[tuple[int, ...], ...]  # for each card its values of FEATURES

LAKES: Final[Deck] = (
    (6, 2, 7, 3),
    (14, 11, 24, 6),
    (23, 18, 22, 16),
    (21, 16, 19, 1),
    (10, 4, 3, 22),
    (16, 12, 4, 24),
    (7, 1, 18, 18),
    (19, 5, 16, 17),
    (24, 3, 13, 8),
    (9, 24, 21, 10),
    (15, 13, 6, 15),
    (4, 22, 20, 23),
    (1, 8, 9, 9),
    (12, 21, 23, 14),
    (17, 9, 5, 2),
    (18, 6, 14, 19),
    (2, 7, 8, 12),
    (8, 20, 10, 13),
    (22, 15, 15, 20),
    (20, 10, 17, 7),
    (11, 14, 12, 5),
    (5, 17, 2, 4),
    (3, 19, 11, 11),
    (13, 23, 1, 21),
)


class DeckError(StrEnum):
    """Reasons why a deck is not valid."""

    CARDS = "not %(cards)d cards"
    COUNT = "not %(cards)d cards but %(found)d"
    MISSING = "feature %(feature)s: no card has the value %(value)d"
    CARD = "card %(card)d: not four values"
    VALUE = "card %(card)d: %(feature)s is %(value)s, not 1 to %(most)d"


def laghetti_deck_read(value: object) -> list[list[int]]:
    """Return the deck in a JSON value, or in a text with one card a line: four values, separated by spaces or commas.

    A card in JSON is a list of four numbers, or an object with the four features.

    Raises:
        FormError: there are not 24 cards, or a feature does not have every value from 1 to 24 once.
    """
    cards = _lines(value) if isinstance(value, str) else value
    if not isinstance(cards, list | tuple):
        raise FormError(DeckError.CARDS, cards=CARDS)
    if len(cards) != CARDS:
        raise FormError(DeckError.COUNT, cards=CARDS, found=len(cards))
    deck = [_card(number, card) for number, card in enumerate(cards)]
    for feature, values in zip(FEATURES, zip(*deck, strict=True), strict=True):
        if missing := set(VALUES) - set(values):
            raise FormError(DeckError.MISSING, feature=feature, value=min(missing))
    return deck


def laghetti_deck_write(deck: list[list[int]]) -> str:
    """Return a text with one card a line: four values, separated by spaces."""
    return "\n".join(" ".join(map(str, card)) for card in deck)


def _lines(text: str) -> list[list[int | str]]:
    lines = [line.replace(",", " ").split() for line in text.splitlines()]
    return [[int(word) if word.isdecimal() and len(word) < 3 else word for word in line] for line in lines if line]


def _card(number: int, card: Any) -> list[int]:
    if isinstance(card, Mapping) and set(card) == set(FEATURES):
        card = [card[feature] for feature in FEATURES]
    if not isinstance(card, list | tuple) or len(card) != len(FEATURES):
        raise FormError(DeckError.CARD, card=number)
    for feature, value in zip(FEATURES, card, strict=True):
        if type(value) is not int or value not in VALUES:
            raise FormError(DeckError.VALUE, card=number, feature=feature, value=f"{value!r:.20}", most=CARDS)
    return list(card)


DECK_FORM: Final = Form(
    allowed="24 cards, one a line: its values of Q, S, C and T; in each of the four, every value from 1 to 24 once.",
    schema={
        "type": "array",
        "items": {
            "type": "array",
            "items": {"type": "integer", "minimum": 1, "maximum": CARDS},
            "minItems": len(FEATURES),
            "maxItems": len(FEATURES),
        },
        "minItems": CARDS,
        "maxItems": CARDS,
    },
    read=laghetti_deck_read,
    write=laghetti_deck_write,
    wrong=tuple(DeckError),
)
