"""The luck of the deal, ``laghetti/1-d1``: the points of a round with a fixed bot in every seat, minus their mean.

The mean is that of deals with as many players and cards. The means come from a million deals together. The fixed bot is
the house bot Old Marmot as it was when the means were frozen. It calculates in integers, so that the results are the
same on every machine. Pages and exports show this luck beside the game, but results are not adjusted: over the
rotations of a block, every bot gets the same cards, so the luck cancels out.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from games.catalogue.laghetti.deck import CARDS, LAKES, Deck
from games.catalogue.laghetti.fields import LaghettiPhase
from games.catalogue.laghetti.position import LaghettiPosition
from games.replay import Step
from luck.game_account import POINT, Deal, DealtGame

FEATURES = range(4)
WEIGHTS = (5, 10, 20, 65)  # weights of a card's values, lowest first
Hands = Sequence[Sequence[int]]


@cache
def laghetti_deals_reference_worths(deck: Deck, players: int, cards: int) -> tuple[tuple[int, ...], int]:
    """Return the expected number of tricks of each card, as numerators, and their common denominator."""
    below = 10 * (CARDS - cards)
    # ``odds / below``: the factor by which the chance of a trick falls if the value of the card is lower by one
    odds = below - 4 * (players - 1) * cards
    powers = [odds ** (CARDS - value) * below**value for value in range(CARDS + 1)]
    found = (sum(weight * powers[value] for weight, value in zip(WEIGHTS, sorted(card), strict=True)) for card in deck)
    return tuple(found), 100 * below**CARDS


def laghetti_deals_reference_points(hands: Hands, dealer: int, deck: Deck) -> list[int]:
    """Return the points of the round by seat if the fixed bot plays every seat."""
    bids = _bids(hands, dealer, deck)
    won = _tricks([list(hand) for hand in hands], dealer, deck, bids)
    return [bid + 1 if bid == own else -abs(own - bid) for bid, own in zip(bids, won, strict=True)]


def _bids(hands: Hands, dealer: int, deck: Deck) -> list[int]:
    players, cards = len(hands), len(hands[0])
    worth, unit = laghetti_deals_reference_worths(deck, players, cards)
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


RULESET: Final = "laghetti/1"
ID: Final = "laghetti/1-d1"


def laghetti_deals_uncovered(options: Mapping[str, Any]) -> str:
    """Return the name of an option that the means do not cover, or ""."""
    return "" if options["deck"] == [list(card) for card in LAKES] else "deck"


def laghetti_deals_luck(steps: Sequence[Step]) -> DealtGame:
    """Return the luck of the deals in a finished game."""
    found = []
    for number, step in enumerate(steps, 1):
        old, new = step.before, step.after
        if not isinstance(old, LaghettiPosition) or not isinstance(new, LaghettiPosition):
            raise TypeError(f"not a position of laghetti: {type(old).__name__}")
        if old.phase is LaghettiPhase.DEAL and new.phase is LaghettiPhase.BID:
            found.append(Deal(number, new.cards_each, _luck(new)))
    return DealtGame(ID, len(found[0].luck), tuple(found))


def _luck(position: LaghettiPosition) -> tuple[int, ...]:
    players, cards, dealer = position.rules.players, position.cards_each, position.dealer
    made = laghetti_deals_reference_points(position.hands, dealer, position.rules.deck)
    usual = _means()[str(players)][str(cards)]
    return tuple(POINT * one - usual[(seat - dealer - 1) % players] for seat, one in enumerate(made))


@cache
def _means() -> dict[str, dict[str, list[int]]]:
    found: dict[str, dict[str, list[int]]] = json.loads(files(__package__).joinpath("d1.json").read_text())["means"]
    return found
