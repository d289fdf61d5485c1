"""Weather Cock: simulates every action many times, each time with another random deal of the hidden cards.

It counts cards: of the 110, its own hand, the displays and the discards are known, and the others are dealt at random
to rivals and deck. Each action is tried in the same deals, and all seats play the round to its end by a rule of thumb.
It takes the action with the best mean of: worms won and lost compared with the rivals' average, plus the value of the
cards kept for later rounds.
"""

import random
from typing import Any, NamedTuple

TYPES = "12345W"
VALUES = (1, 2, 3, 4, 5, 5)
COPIES = (17, 17, 17, 17, 17, 25)
WORM = 5  # its index among the types
PASS, STEAL = -1, -2  # used in place of a type
PORTIONS = (0, *range(16, 43))
PLAYOUTS = 400  # in total, shared by all possible actions
FEWEST = 24  # at least this many for each action
CARD_POINT = 0.12  # what a point on a kept card is worth, in worms
FIRST_WORM = 1.5  # what a kept worm is worth, in worms

Counts = list[int]  # number of cards by type


class Move(NamedTuple):
    """A number of cards of a type. ``face`` may also be PASS or STEAL."""

    face: int
    cards: int


class Deal(NamedTuple):
    """A possible deal of the hidden cards, the aim of each seat, and the order of the tags."""

    hands: list[Counts]
    deck: list[int]
    aims: list[int]
    tags: list[float]


def act(view: dict[str, Any]) -> str:
    """Return the action with the best average result."""
    choices = candidates(view["actions"])
    if len(choices) == 1:
        return choices[0][0]
    me, rounds_left = view["you"], view["rounds"] - view["round"]
    point, worm = CARD_POINT * min(1.0, rounds_left / 2), FIRST_WORM * min(1.0, rounds_left)
    table, sums = Table(view), [0.0] * len(choices)
    for _ in range(max(FEWEST, PLAYOUTS // len(choices))):
        deal = table.deal()
        for number, (_, move) in enumerate(choices):
            gains, hand = table.play_out(deal, move)
            rivals = (sum(gains) - gains[me]) / (len(gains) - 1)
            kept = point * sum(map(int.__mul__, hand, VALUES)) + (worm if hand[WORM] else 0.0)
            sums[number] += gains[me] - rivals + kept
    return choices[max(range(len(choices)), key=sums.__getitem__)][0]


def candidates(actions: list[str]) -> list[tuple[str, Move]]:
    """Return the actions with their moves. A play of worms begins with the lowest one, and more may follow, so playing
    two worms is tried too.
    """
    choices = []
    worms = [action for action in actions if action.startswith(("play W", "also W"))]
    for action in actions:
        if action in ("pass", "steal"):
            choices.append((action, Move(PASS if action == "pass" else STEAL, 0)))
        elif action == "done":
            choices.append((action, Move(WORM, 0)))
        elif action not in worms:
            count, face = action.removeprefix("play ").split("x")
            choices.append((action, Move(TYPES.index(face), int(count))))
    return choices + [(worms[0], Move(WORM, count)) for count in range(1, min(len(worms), 2) + 1)]


class Table:
    """The known facts of a round, as numbers."""

    def __init__(self, view: dict[str, Any]) -> None:
        self.players: int = view["players"]
        self.me: int = view["you"]
        self.worms: dict[int, int] = dict(zip(PORTIONS, view["options"]["worms"], strict=True))
        self.grill: list[int] = view["grill"]
        self.tops: list[int] = [stack[-1] if stack else 0 for stack in view["stacks"]]
        self.hand = counts(view["hands"][self.me])
        self.sizes: list[int] = view["hand_sizes"]
        self.shown = [counts(display) for display in view["displays"]]
        self.totals: list[int] = view["totals"]
        self.passed = [status != "" for status in view["passed"]]
        known = [self.hand, counts(view["discard"]), *self.shown]
        left = [COPIES[face] - sum(pile[face] for pile in known) for face in range(6)]
        self.unseen = [face for face in range(6) for _ in range(left[face])]
        self.stake = self.worms[self.grill[-1]] - self.worms[self.grill[0]]

    def deal(self) -> Deal:
        """Return a random deal."""
        deck = self.unseen[:]
        random.shuffle(deck)
        hands = []
        for seat in range(self.players):
            hand = [0] * 6
            if seat != self.me:
                for _ in range(self.sizes[seat]):
                    hand[deck.pop()] += 1
            hands.append(hand if seat != self.me else self.hand)
        aims = [random.randint(18, 24) + 2 * min(self.stake, 4) for _ in range(self.players)]
        return Deal(hands, deck, aims, [random.random() for _ in range(self.players)])

    def play_out(self, deal: Deal, move: Move) -> tuple[list[int], Counts]:
        """Play the round to its end, beginning with ``move``. Return what each seat wins, and the own hand."""
        round_ = Round(self, deal)
        seat = self.me
        while True:
            draws = round_.play(seat, move)
            if all(round_.passed):
                break
            round_.draw(seat, draws)
            seat = (seat + 1) % self.players
            while round_.passed[seat]:
                seat = (seat + 1) % self.players
            move = round_.thumb(seat, deal.aims[seat])
        round_.share(deal.tags)
        return round_.gains, round_.hands[self.me]


class Round:
    """A simulated round."""

    def __init__(self, table: Table, deal: Deal) -> None:
        self.table = table
        self.hands = [hand[:] for hand in deal.hands]
        self.deck = deal.deck[:]
        self.shown = [pile[:] for pile in table.shown]
        self.totals, self.passed = table.totals[:], table.passed[:]
        self.grill, self.tops = table.grill[:], table.tops[:]
        self.gains = [0] * table.players

    def play(self, seat: int, move: Move) -> int:
        """Make the move; return how many cards the seat then draws."""
        face, cards = move
        if face >= 0:
            self.hands[seat][face] -= cards
            self.shown[seat][face] += cards
            self.totals[seat] += cards * VALUES[face]
            return 1
        self.passed[seat] = True
        if not self.shown[seat][WORM]:
            portion = self.grill.pop(0)
            self.gains[seat] += self.table.worms[portion]
            self.tops[seat] = portion
        elif face == STEAL:
            total = self.totals[seat]
            victim = next(one for one, top in enumerate(self.tops) if top == total and one != seat)
            self.gains[seat] += self.table.worms[total]
            self.gains[victim] -= self.table.worms[total]
            self.tops[seat], self.tops[victim] = total, 0
        return 2

    def draw(self, seat: int, count: int) -> None:
        for _ in range(min(count, len(self.deck))):
            self.hands[seat][self.deck.pop()] += 1

    def share(self, tags: list[float]) -> None:
        """Share the menu, lowest portion first."""
        valid = [seat for seat, pile in enumerate(self.shown) if pile[WORM]]
        valid.sort(key=lambda seat: (self.totals[seat], tags[seat]))
        for seat, portion in zip(valid, self.grill, strict=True):
            self.gains[seat] += self.table.worms[portion]

    def thumb(self, seat: int, aim: int) -> Move:
        """Return the move by rule of thumb: the most points first, the worm last, and no more cards than the stake is
        worth.
        """
        hand, mine, total, stake = self.hands[seat], self.shown[seat], self.totals[seat], self.table.stake
        rivals = [other for other, gone in enumerate(self.passed) if gone and self.shown[other][WORM]]
        best = max([self.totals[other] for other in rivals], default=0)
        last = self.passed.count(False) == 1
        if mine[WORM] and total > best and (last or total >= aim):
            return self.farewell(seat)
        points = [0 if mine[face] else hand[face] * VALUES[face] for face in range(5)]
        most = max(points)
        if not mine[WORM]:
            if not hand[WORM]:
                small = next((face for face, worth in enumerate(points) if worth), PASS)
                return Move(small, 1) if most and not last and stake > 1 else Move(PASS, 0)
            if stake < 2 and not total:
                return Move(PASS, 0)
        hopeless = last and total + sum(points) + (0 if mine[WORM] else 5 * hand[WORM]) <= best
        if most and not hopeless and (total < aim or total <= best):
            face = points.index(most)
            return Move(face, hand[face])
        if mine[WORM]:
            return self.farewell(seat)
        return Move(WORM, hand[WORM] if total + 5 < aim and not hopeless else 1)

    def farewell(self, seat: int) -> Move:
        """Return the pass of a seat with a worm, with a theft if possible."""
        total = self.totals[seat]
        return Move(STEAL if any(top == total and one != seat for one, top in enumerate(self.tops)) else PASS, 0)


def counts(cards: list[str]) -> Counts:
    """Return the number of cards of each type."""
    tally = [0] * 6
    for card in cards:
        tally[TYPES.index(card[0])] += 1
    return tally
