"""Mountain Guide: deals the hidden cards at random many times, and simulates every action in each deal.

It uses what it knows: its own hand, the cards played in this round, and the bids. Deals in which the others' cards are
worth about as much as they bid are more likely. Each action is tried in the same deals, and all seats play the round to
its end by a rule of thumb. It takes the action with the best mean of its own points of the round minus the others'
average. All simulations run in parallel, with one numpy step for each card. Without numpy, in a browser, they run one
after another, by the same rules in other deals.
"""

from __future__ import annotations

from math import log
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

try:
    import numpy as np
except ImportError:  # Python in a browser
    np = None  # type: ignore[assignment]
if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Floats = NDArray[np.float64]

View = dict[str, Any]

FEATURES = "QSCT"
NONE = 24  # the card number for no card, which has the value 0
DEALS = 64
PLAIN_DEALS = 16  # without numpy
DEALS_TO_CHOOSE_FROM = 4  # random deals from which each deal is chosen
TRUST = 2.5  # how much a bid says about a hand


class Lie(NamedTuple):
    """Deals in parallel, one in each row."""

    hands: Numbers  # by row, seat and place: a card or NONE
    bids: Numbers  # by row and seat
    won: Numbers  # by row and seat: tricks


class Trick(NamedTuple):
    """The current trick of each row. All rows have the same number of cards in it."""

    leader: Numbers
    feature: Numbers
    high: Numbers  # the highest value so far
    best: Numbers  # the seat that played it
    cards: int


def act(view: View) -> str:
    """Return the action with the highest average result. The same view always gives the same action."""
    actions: list[str] = view["actions"]
    if len(actions) == 1:
        return actions[0]
    if np is None:
        gained = one_by_one(view, actions)
        return max(actions, key=gained.__getitem__)
    deck = np.array([*view["options"]["deck"], [0] * len(FEATURES)])
    worths = np.array(worths_of(view))
    rng = np.random.default_rng([view["turn"], view["you"], *view["hands"][view["you"]]])
    hands, estimates = deals(view, deck, worths, rng)
    if view["phase"] == "bid":
        rows, me = bidding(view, hands, estimates, actions), view["you"]
        first = np.full(len(rows.hands), (view["dealer"] + 1) % view["players"])
        gains = play_out(rows, fresh(first), deck, worths, me)
    else:
        gains = playing(view, hands, deck, worths, actions)
    return actions[int(gains.reshape(len(actions), -1).mean(axis=1).argmax())]


def worths_of(view: View) -> list[float]:
    """Return for each card of the deck an estimate of its chance to win a trick in such a round."""
    cards = view["cards_each"]
    density = (view["players"] - 1) * cards / (NONE - cards)
    steps = [(1 - 0.4 * density) ** (NONE - value) for value in range(NONE + 1)]
    share = (0.05, 0.1, 0.2, 0.65)  # weights of a card's values, lowest first
    deck = view["options"]["deck"]
    return [*(sum(part * steps[v] for part, v in zip(share, sorted(values), strict=True)) for values in deck), 0.0]


def deals(view: View, deck: Numbers, worths: Floats, rng: np.random.Generator) -> tuple[Numbers, Floats]:
    """Return possible hands, and what each seat's cards of this round are worth in each deal."""
    me, players, sizes = view["you"], view["players"], view["hand_sizes"]
    played = played_cards(view)
    known = {*view["hands"][me], *(card for cards in played for card in cards)}
    unseen = np.array([card for card in range(NONE) if card not in known], dtype=np.int64)
    count = DEALS * DEALS_TO_CHOOSE_FROM
    mixed = unseen[rng.random((count, len(unseen))).argsort(axis=1)]
    hands = np.full((count, players, max(sizes)), NONE)
    start = 0
    for seat, size in enumerate(sizes):
        if seat == me:
            hands[:, seat, :size] = view["hands"][me]
        else:
            hands[:, seat, :size] = mixed[:, start : start + size]
            start += size
    shown = np.array([sum(worths[card] for card in cards) for cards in played])
    estimates = worths[hands].sum(axis=2) + shown
    surprise = np.zeros(count)
    for seat, bid in enumerate(view["bids"]):
        if bid is not None and seat != me:
            surprise += (estimates[:, seat] - bid) ** 2
    chosen = (TRUST * surprise - rng.gumbel(size=count)).argsort()[:DEALS]
    return hands[chosen], estimates[chosen]


def played_cards(view: View) -> list[list[int]]:
    """Return what each seat has played in this round. If only the value of a card is shown, the card is looked up."""
    deck: list[list[int]] = view["options"]["deck"]
    played: list[list[int]] = [[] for _ in range(view["players"])]
    for trick in [*view["tricks"], *([view["trick"]] if view["trick"] else [])]:
        column = FEATURES.index(trick["feature"])
        for place, value in enumerate(trick["values"]):
            seat = (trick["leader"] + place) % view["players"]
            played[seat].append(next(card for card, values in enumerate(deck) if values[column] == value))
    return played


def bidding(view: View, hands: Numbers, estimates: Floats, actions: list[str]) -> Lie:
    """Return the result of each bid in each deal. Seats that have yet to bid bid what their cards are worth, the dealer
    as close to that as allowed.
    """
    me, players, cards, dealer = view["you"], view["players"], view["cards_each"], view["dealer"]
    mine = np.repeat([int(action[4:]) for action in actions], len(hands))
    hands, estimates = np.tile(hands, (len(actions), 1, 1)), np.tile(estimates, (len(actions), 1))
    bids = np.zeros((len(hands), players), dtype=np.int64)
    for place in range(players):
        seat = (dealer + 1 + place) % players
        if seat == me:
            bids[:, seat] = mine
        elif view["bids"][seat] is not None:
            bids[:, seat] = view["bids"][seat]
        else:
            distance = np.abs(np.arange(cards + 1) - estimates[:, seat, None])
            if seat == dealer:
                distance[np.arange(cards + 1) == cards - bids.sum(axis=1, keepdims=True)] = NONE
            bids[:, seat] = distance.argmin(axis=1)
    return Lie(hands, bids, np.zeros_like(bids))


def playing(view: View, hands: Numbers, deck: Numbers, worths: Floats, actions: list[str]) -> Floats:
    """Return the result of each card, with each feature when leading, in each deal."""
    me, players, number = view["you"], view["players"], len(hands) * len(actions)
    bids, won = np.tile(view["bids"], (number, 1)), np.tile(view["won"], (number, 1))
    lie = Lie(np.tile(hands, (len(actions), 1, 1)), bids, won)
    places = [view["hands"][me].index(int(action.split()[1])) for action in actions]
    place = np.repeat(places, len(hands))
    trick = view["trick"]
    if trick is None:
        features = np.repeat([FEATURES.index(action[-1]) for action in actions], len(hands))
        now = fresh(np.full(number, me))._replace(feature=features)
    else:
        values: list[int] = trick["values"]
        best = (trick["leader"] + values.index(max(values))) % players
        same = (trick["leader"], FEATURES.index(trick["feature"]), max(values), best)
        leader, feature, high, winner = (np.full(number, one) for one in same)
        now = Trick(leader, feature, high, winner, cards=len(values))
    now = put(lie, now, np.full(number, me), place, deck)
    return play_out(lie, now, deck, worths, me)


def fresh(leader: Numbers) -> Trick:
    """Return an empty trick."""
    zero = np.zeros_like(leader)
    return Trick(leader, zero, zero - 1, leader, 0)


def play_out(lie: Lie, trick: Trick, deck: Numbers, worths: Floats, me: int) -> Floats:
    """Return the points of seat ``me`` for the round minus the others' average."""
    players, rows = lie.bids.shape[1], np.arange(len(lie.hands))
    for _ in range(int((lie.hands[0] != NONE).sum())):
        seat = (trick.leader + trick.cards) % players
        wants = (lie.bids[rows, seat] > lie.won[rows, seat])[:, None]
        hand = lie.hands[rows, seat]
        if trick.cards == 0:
            shown = deck[hand].reshape(len(hand), -1)
            liking = np.where(shown > 0, np.where(wants, shown, -shown), -NONE - 1)
            place, feature = np.divmod(liking.argmax(axis=1), len(FEATURES))
            trick = trick._replace(feature=feature)
        else:
            place = following(hand, trick, wants, deck, worths, last=trick.cards == players - 1)
        trick = put(lie, trick, seat, place, deck)
    points = np.where(lie.won == lie.bids, lie.bids + 1, -np.abs(lie.won - lie.bids))
    own: Floats = points[:, me] * (players / (players - 1)) - points.sum(axis=1) / (players - 1)
    return own


def following(hand: Numbers, trick: Trick, wants: Any, deck: Numbers, worths: Floats, *, last: bool) -> Numbers:
    """Return the cards that follow. A seat that needs a trick wins it or throws its weakest card. Any other seat throws
    its best card that loses.
    """
    values, worth = deck[hand, trick.feature[:, None]], worths[hand]
    wins = values > trick.high[:, None]
    to_win = np.where(wins, 2 * NONE + (-values if last else values), -worth)
    to_lose = np.where(wins, -2 * NONE + (values if last else -values), worth)
    liking = np.where(hand == NONE, -4 * NONE, np.where(wants, to_win, to_lose))
    place: Numbers = liking.argmax(axis=1)
    return place


def put(lie: Lie, trick: Trick, seat: Numbers, place: Numbers, deck: Numbers) -> Trick:
    """Return the trick with another card from the hands. A complete trick is won, and its winner leads the next."""
    rows = np.arange(len(seat))
    value = deck[lie.hands[rows, seat, place], trick.feature]
    lie.hands[rows, seat, place] = NONE
    better = value > trick.high
    best = np.where(better, seat, trick.best)
    if trick.cards + 1 < lie.bids.shape[1]:
        return trick._replace(high=np.maximum(value, trick.high), best=best, cards=trick.cards + 1)
    lie.won[rows, best] += 1
    return fresh(best)


class Round:
    """One deal in plain Python, for what ``play_out`` does in parallel."""

    def __init__(self, view: View, worths: list[float], hands: list[list[int]], bids: list[int]) -> None:
        self.deck: list[list[int]] = view["options"]["deck"]
        self.worths, self.hands, self.bids = worths, hands, bids
        self.players: int = view["players"]
        self.won: list[int] = list(view["won"])
        self.leader, self.cards, self.feature, self.high, self.best = (view["dealer"] + 1) % self.players, 0, 0, -1, 0
        if trick := view["trick"]:
            values = trick["values"]
            self.leader, self.cards, self.high = trick["leader"], len(values), max(values)
            self.feature = FEATURES.index(trick["feature"])
            self.best = (self.leader + values.index(self.high)) % self.players
        elif view["phase"] != "bid":
            self.leader = view["you"]

    def put(self, seat: int, card: int) -> None:
        self.hands[seat].remove(card)
        if (value := self.deck[card][self.feature]) > self.high:
            self.high, self.best = value, seat
        self.cards += 1
        if self.cards == self.players:
            self.won[self.best] += 1
            self.leader, self.cards, self.high = self.best, 0, -1

    def choice(self, seat: int) -> int:
        """Return the card that the rule of thumb plays. A leader names the feature with it."""
        hand, wants, deck = self.hands[seat], self.bids[seat] > self.won[seat], self.deck
        if self.cards == 0:
            shown = [
                (v if wants else -v, -at, f) for at, card in enumerate(hand) for f, v in enumerate(deck[card]) if v
            ]
            _, at, self.feature = max(shown, key=lambda one: one[:2])
            return hand[-at]
        last, high, feature, worths = self.cards == self.players - 1, self.high, self.feature, self.worths

        def liking(card: int) -> float:
            value = deck[card][feature]
            if value > high:
                return (2 if wants else -2) * NONE + (value if wants != last else -value)
            return -worths[card] if wants else worths[card]

        return max(hand, key=liking)

    def gain(self, me: int) -> float:
        """Return the points of seat ``me`` for the round minus the others' average."""
        while any(self.hands):
            seat = (self.leader + self.cards) % self.players
            self.put(seat, self.choice(seat))
        pairs = zip(self.bids, self.won, strict=True)
        points = [bid + 1 if bid == won else -abs(won - bid) for bid, won in pairs]
        return points[me] - (sum(points) - points[me]) / (self.players - 1)


def one_by_one(view: View, actions: list[str]) -> dict[str, float]:
    """Return the sum of each action's results over all deals."""
    worths, me = worths_of(view), view["you"]
    luck = Random(repr([view["turn"], me, view["hands"][me]]))
    gains = dict.fromkeys(actions, 0.0)
    for hands, estimates in plain_deals(view, worths, luck):
        for action in actions:
            bids = bids_of(view, estimates, int(action[4:])) if view["phase"] == "bid" else view["bids"]
            one = Round(view, worths, [list(hand) for hand in hands], bids)
            if view["phase"] != "bid":
                _, card, *feature = action.split()
                one.feature = FEATURES.index(feature[0]) if feature else one.feature
                one.put(me, int(card))
            gains[action] += one.gain(me)
    return gains


def plain_deals(view: View, worths: list[float], luck: Random) -> list[tuple[list[list[int]], list[float]]]:
    """Return possible hands, and what each seat's cards of this round are worth; see ``deals``."""
    me, played = view["you"], played_cards(view)
    known = {*view["hands"][me], *(card for cards in played for card in cards)}
    unseen = [card for card in range(NONE) if card not in known]
    shown = [sum(worths[card] for card in cards) for cards in played]
    found = []
    for _ in range(PLAIN_DEALS * DEALS_TO_CHOOSE_FROM):
        luck.shuffle(unseen)
        cards = iter(unseen)
        hands = [
            list(view["hands"][me]) if seat == me else [next(cards) for _ in range(size)]
            for seat, size in enumerate(view["hand_sizes"])
        ]
        estimates = [sum(worths[card] for card in hand) + seen for hand, seen in zip(hands, shown, strict=True)]
        bids = [None if seat == me else bid for seat, bid in enumerate(view["bids"])]
        surprise = sum((worth - bid) ** 2 for worth, bid in zip(estimates, bids, strict=True) if bid is not None)
        found.append((TRUST * surprise + log(-log(luck.random() or 0.5)), hands, estimates))
    return [(hands, estimates) for _, hands, estimates in sorted(found)[:PLAIN_DEALS]]


def bids_of(view: View, estimates: list[float], mine: int) -> list[int]:
    """Return all bids in a deal; see ``bidding``."""
    players, cards, dealer = view["players"], view["cards_each"], view["dealer"]
    bids = [0] * players
    for place in range(players):
        seat = (dealer + 1 + place) % players
        said = mine if seat == view["you"] else view["bids"][seat]
        if said is None:
            barred = cards - sum(bids) if seat == dealer else None
            open_bids = [bid for bid in range(cards + 1) if bid != barred]
            said = min(open_bids, key=lambda bid, worth=estimates[seat]: abs(bid - worth))  # type: ignore[misc]
        bids[seat] = said
    return bids
