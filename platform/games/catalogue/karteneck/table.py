"""The places of the cards: hands, displays, deck and discards. The draws of each seat are independent of the others."""

from itertools import islice
from random import Random
from typing import Final, NamedTuple

from games.catalogue.karteneck.cards import DRAWS, WHOLE_DECK, Card, Pile, cards_singles, cards_size
from games.from_fields import from_fields


class Cards(NamedTuple):
    """Piles by seat, and the common piles. ``drawn`` is the number of cards that each seat has drawn in the game."""

    hands: tuple[Pile, ...]
    displays: tuple[Pile, ...]
    deck: Pile
    discard: Pile
    drawn: tuple[int, ...]

    def request(self, seat: int) -> Card:
        """Return the request for the seat's next card. Its key is the number of cards that the seat has
        drawn before.
        """
        return _card((f"hand/{seat}/{self.drawn[seat]}", self.deck))

    def draw(self, seat: int, action: str) -> "Cards":
        """Draw ``draw 3`` or ``draw W7`` from the deck into the seat's hand."""
        card = DRAWS[action]
        hands, displays, deck, discard, drawn = self
        hands = _with(hands, seat, hands[seat] + card)
        drawn = _with(drawn, seat, drawn[seat] + 1)
        return _cards((hands, displays, deck - card, discard, drawn))

    def show(self, seat: int, played: Pile) -> "Cards":
        """Move cards from the seat's hand to its display."""
        hands, displays, *others = self
        hands = _with(hands, seat, hands[seat] - played)
        displays = _with(displays, seat, displays[seat] + played)
        return _cards((hands, displays, *others))

    def clear(self, seat: int) -> "Cards":
        """Discard the seat's display."""
        shown = self.displays[seat]
        return self._replace(displays=_with(self.displays, seat, 0), discard=self.discard + shown)

    def clear_all(self) -> "Cards":
        """Discard all displays."""
        return self._replace(displays=(0,) * len(self.displays), discard=self.discard + sum(self.displays))

    def resample(self, seat: int, rng: Random) -> "Cards":
        """Deal the other hands and the deck again from the cards that ``seat`` does not see.

        A player who counts cards knows more once the discards have become the deck: the cards that others held then are
        not in it. No view contains that, so it is not used.
        """
        hands, _, deck, _, _ = self
        sizes = [0 if owner == seat else cards_size(hand) for owner, hand in enumerate(hands)]
        unseen = cards_singles(deck + sum(hands) - hands[seat])
        dealt = iter(rng.sample(unseen, sum(sizes)))
        new_hands = [sum(islice(dealt, many)) for many in sizes]
        left = deck + sum(hands) - hands[seat] - sum(new_hands)
        new_hands[seat] = hands[seat]
        return self._replace(hands=tuple(new_hands), deck=left)

    def refilled(self) -> "Cards":
        """Make the discards the deck if the deck is empty."""
        return self if self.deck else self._replace(deck=self.discard, discard=0)


_cards: Final = from_fields(Cards)
_card: Final = from_fields(Card)


def karteneck_table_all_in_deck(players: int) -> Cards:
    return Cards((0,) * players, (0,) * players, WHOLE_DECK, 0, (0,) * players)


def _with(piles: tuple[int, ...], seat: int, pile: int) -> tuple[int, ...]:
    return (*piles[:seat], pile, *piles[seat + 1 :])
