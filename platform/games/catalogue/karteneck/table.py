"""Where the cards are: hands, displays, deck and discards. Each seat draws with luck of its own."""

from typing import NamedTuple, Self

from games.catalogue.karteneck.cards import DRAWS, WHOLE_DECK, Card, Pile


class Cards(NamedTuple):
    """Piles by seat, and those in the middle. ``drawn``: how many cards each seat has drawn in the game."""

    hands: tuple[Pile, ...]
    displays: tuple[Pile, ...]
    deck: Pile
    discard: Pile
    drawn: tuple[int, ...]

    def request(self, seat: int) -> Card:
        """Return the seat's next card. Its luck is keyed by how many it has drawn before, whatever the others did."""
        return Card(f"hand/{seat}/{self.drawn[seat]}", self.deck)

    def draw(self, seat: int, action: str) -> Self:
        """Draw ``draw 3`` or ``draw W7`` from the deck into the seat's hand."""
        card = DRAWS[action]
        hands = _with(self.hands, seat, self.hands[seat] + card)
        drawn = _with(self.drawn, seat, self.drawn[seat] + 1)
        return self.__class__(hands, self.displays, self.deck - card, self.discard, drawn)

    def show(self, seat: int, played: Pile) -> Self:
        """Lay cards from the seat's hand onto its display."""
        return self._replace(
            hands=_with(self.hands, seat, self.hands[seat] - played),
            displays=_with(self.displays, seat, self.displays[seat] + played),
        )

    def clear(self, seat: int) -> Self:
        """Discard the seat's display."""
        shown = self.displays[seat]
        return self._replace(displays=_with(self.displays, seat, 0), discard=self.discard + shown)

    def clear_all(self) -> Self:
        """Discard all displays."""
        return self._replace(displays=(0,) * len(self.displays), discard=self.discard + sum(self.displays))

    def refilled(self) -> Self:
        """Make the discards the deck if it is empty."""
        return self if self.deck else self._replace(deck=self.discard, discard=0)


def all_in_the_deck(players: int) -> Cards:
    return Cards((0,) * players, (0,) * players, WHOLE_DECK, 0, (0,) * players)


def _with(piles: tuple[int, ...], seat: int, pile: int) -> tuple[int, ...]:
    return (*piles[:seat], pile, *piles[seat + 1 :])
