"""What one fixed bot in every seat makes of a deal: Old Marmot of the house as it was when the means were frozen.

In whole numbers, so that everyone gets the same.
"""

from collections.abc import Sequence
from functools import cache

from games.catalogue.laghetti.deck import CARDS, Deck

FEATURES = range(4)
WEIGHTS = (5, 10, 20, 65)  # of a card's values, the lowest first
Hands = Sequence[Sequence[int]]


@cache
def worths(deck: Deck, players: int, cards: int) -> tuple[tuple[int, ...], int]:
    """Return how many tricks each card is expected to take, as numerators, and their denominator."""
    below = 10 * (CARDS - cards)
    odds = below - 4 * (players - 1) * cards  # of 10 * (CARDS - cards): no rival beats a value that is one lower
    powers = [odds ** (CARDS - value) * below**value for value in range(CARDS + 1)]
    found = (sum(weight * powers[value] for weight, value in zip(WEIGHTS, sorted(card), strict=True)) for card in deck)
    return tuple(found), 100 * below**CARDS


def points(hands: Hands, dealer: int, deck: Deck) -> list[int]:
    """Return the points of the round by seat, if that bot has every seat."""
    bids = _bids(hands, dealer, deck)
    won = _tricks([list(hand) for hand in hands], dealer, deck, bids)
    return [bid + 1 if bid == own else -abs(own - bid) for bid, own in zip(bids, won, strict=True)]


def _bids(hands: Hands, dealer: int, deck: Deck) -> list[int]:
    players, cards = len(hands), len(hands[0])
    worth, unit = worths(deck, players, cards)
    bids, made = [0] * players, 0
    for place in range(players):
        seat = (dealer + 1 + place) % players
        expected = sum(worth[card] for card in hands[seat])
        barred = cards - made if place == players - 1 else -1
        allowed = (bid for bid in range(cards + 1) if bid != barred)
        bids[seat] = min(allowed, key=lambda bid: abs(bid * unit - expected))
        made += bids[seat]
    return bids


def _tricks(hands: list[list[int]], dealer: int, deck: Deck, bids: Sequence[int]) -> list[int]:
    players = len(hands)
    won, leader = [0] * players, (dealer + 1) % players
    while hands[leader]:
        best = max if bids[leader] > won[leader] else min
        leads = ((card, feature) for card in hands[leader] for feature in FEATURES)
        card, feature = best(leads, key=lambda lead: deck[lead[0]][lead[1]])
        hands[leader].remove(card)
        high, winner = deck[card][feature], leader
        for place in range(1, players):
            seat = (leader + place) % players
            needs, last = bids[seat] > won[seat], place == players - 1
            card = _answer(hands[seat], deck, feature, high, needs=needs, last=last)
            hands[seat].remove(card)
            if deck[card][feature] > high:
                high, winner = deck[card][feature], seat
        won[winner] += 1
        leader = winner
    return won


def _answer(hand: Sequence[int], deck: Deck, feature: int, high: int, *, needs: bool, last: bool) -> int:
    above = [card for card in hand if deck[card][feature] > high]
    below = [card for card in hand if deck[card][feature] < high]
    if needs and above:
        return (min if last else max)(above, key=lambda card: deck[card][feature])
    if needs:
        return min(below, key=lambda card: max(deck[card]))
    if below:
        return max(below, key=lambda card: max(deck[card]))
    return (max if last else min)(above, key=lambda card: deck[card][feature])
