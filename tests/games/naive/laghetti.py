"""In cammino tra i laghetti."""

from collections.abc import Mapping
from typing import Any

from tests.games.naive import Decision, Play, choose


class BetweenTheLakes:
    def __init__(self, players: int, options: Mapping[str, Any]) -> None:
        self.options, self.players, self.dealer = options, players, 0
        self.hands: list[list[int]] = [[] for _ in range(players)]
        self.scores = [0] * players

    def facts(self) -> Mapping[str, Any]:
        return {"hands": [sorted(hand) for hand in self.hands], "scores": self.scores}

    def points(self) -> list[tuple[int, int]]:
        return [(score, 0) for score in self.scores]

    def game(self) -> Play:
        most = 24 // self.players
        full = 4 if self.players == 4 else self.options["full_rounds_3p"]
        for cards in [*range(1, most), *[most] * full, *range(most - 1, 0, -1)]:
            yield from self.one_round(cards)
            self.dealer = (self.dealer + 1) % self.players

    def from_the_left_of(self, seat: int) -> list[int]:
        return [(seat + 1 + place) % self.players for place in range(self.players)]

    def one_round(self, cards: int) -> Play:
        left = set(range(24))
        for _ in range(cards):
            for seat in self.from_the_left_of(self.dealer):
                card = int((yield Decision(-1, frozenset(f"draw {one}" for one in left)))[5:])
                left.remove(card)
                self.hands[seat].append(card)
        bids, won = [0] * self.players, [0] * self.players
        for seat in self.from_the_left_of(self.dealer):
            spoilt = cards - sum(bids) if seat == self.dealer else -1
            bids[seat] = int((yield choose(seat, *(f"bid {bid}" for bid in range(cards + 1) if bid != spoilt)))[4:])
        leader, feature = (self.dealer + 1) % self.players, ""
        for _ in range(cards):
            names = [one for one in "QSCT" if self.options["feature_repeat"] == "free" or one != feature]
            ways = [f"play {card} {one}" for card in self.hands[leader] for one in names]
            _, first, feature = (yield choose(leader, *ways)).split()
            values = {leader: self.lay(leader, int(first), feature)}
            for seat in self.from_the_left_of(leader)[:-1]:
                card = int((yield choose(seat, *(f"play {card}" for card in self.hands[seat])))[5:])
                values[seat] = self.lay(seat, card, feature)
            leader = max(values, key=values.__getitem__)
            won[leader] += 1
            if not self.hands[leader]:
                made = zip(bids, won, strict=True)
                gains = [bid + 1 if bid == tricks else min(bid - tricks, tricks - bid) for bid, tricks in made]
                self.scores = [score + gain for score, gain in zip(self.scores, gains, strict=True)]

    def lay(self, seat: int, card: int, feature: str) -> int:
        self.hands[seat].remove(card)
        return int(self.options["deck"][card]["QSCT".index(feature)])
