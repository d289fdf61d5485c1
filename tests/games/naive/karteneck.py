"""Heckmeck am Karteneck."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from tests.games.naive import Decision, Play, choose

ROUNDS = {2: 9, 3: 8, 4: 7, 5: 6, 6: 5}


class AtTheCorner:
    def __init__(self, players: int, options: Mapping[str, Any]) -> None:
        self.options, self.players, self.starter = options, players, 0
        self.hands: list[list[str]] = [[] for _ in range(players)]
        self.displays: list[list[str]] = [[] for _ in range(players)]
        self.stacks: list[list[int]] = [[] for _ in range(players)]
        self.deck = [*"12345" * 17, *(f"W{tag}" for tag in range(1, 26))]
        self.reserve, self.grill = [0, 0, 0, *range(16, 43)], list[int]()
        self.discards: list[str] = []
        self.passed = [""] * players

    def facts(self) -> Mapping[str, Any]:
        def sort(cards: list[str]) -> list[str]:
            return sorted(cards, key=lambda card: (card[0], int(card.strip("W"))))

        return {
            "hands": [sort(hand) for hand in self.hands],
            "displays": [sort(display) for display in self.displays],
            "stacks": self.stacks,
            "grill": sorted(self.grill),
            "deck": len(self.deck),
            "discard": sort(self.discards),
        }

    def points(self) -> list[tuple[int, int]]:
        worms = self.options["worms"]
        return [(sum(worms[max(0, one - 15)] for one in stack), max(stack, default=-1)) for stack in self.stacks]

    def game(self) -> Play:
        for seat in range(self.players):
            yield from self.draw(seat, 6)
        for _ in range(ROUNDS[self.players]):
            yield from self.one_round()

    def one_round(self) -> Play:
        for _ in range(self.players):
            shown = int((yield Decision(-1, frozenset(f"reveal {one}" for one in self.reserve)))[7:])
            self.reserve.remove(shown)
            self.grill.append(shown)
        self.passed, seat = [""] * self.players, self.starter
        while "" in self.passed:
            if not self.passed[seat]:
                yield from self.one_turn(seat)
            seat = (seat + 1) % self.players
        valid = [one for one in range(self.players) if self.passed[one] == "valid"]
        for one in sorted(valid, key=lambda one: (self.total(one), max(self.tags(one))), reverse=True):
            self.get(one, max(self.grill))
        for seat in range(self.players):
            self.clear(seat)

    def one_turn(self, seat: int) -> Play:
        hand, lying = self.hands[seat], {card[0] for card in self.displays[seat]}
        ways = ["pass"]
        for card, count in Counter(hand).items():
            if card[0] not in lying:
                ways += [f"play {card}"] if card[0] == "W" else [f"play {one}x{card}" for one in range(1, count + 1)]
        rivals = [other for other in range(self.players) if other != seat and self.stacks[other]]
        victims = [other for other in rivals if self.tags(seat) and self.stacks[other][-1] == self.total(seat)]
        action = yield choose(seat, *ways, *["steal"][: len(victims)])
        if action in ("pass", "steal"):
            self.leave(seat, victims if action == "steal" else [])
            yield from self.draw(seat, 2 if "" in self.passed else 0)
            return
        if action[5] == "W":
            yield from self.worms(seat, action[5:])
        else:
            few, face = action[5:].split("x")
            self.show(seat, [face] * int(few))
        yield from self.draw(seat, 1)

    def worms(self, seat: int, worm: str) -> Play:
        self.show(seat, [worm])
        more = [card for card in self.hands[seat] if card[0] == "W" and int(card[1:]) > int(worm[1:])]
        action = yield choose(seat, "done", *(f"also {card}" for card in more))
        if action != "done":
            yield from self.worms(seat, action[5:])

    def leave(self, seat: int, victims: list[int]) -> None:
        self.passed[seat] = "valid" if self.tags(seat) else "invalid"
        for victim in victims:
            self.stacks[seat].append(self.stacks[victim].pop())
        if not self.tags(seat):
            self.clear(seat)
            self.get(seat, min(self.grill))

    def draw(self, seat: int, cards: int) -> Play:
        for _ in range(cards):
            self.reshuffle()
            if self.deck:
                card = (yield Decision(-1, frozenset(f"draw {card}" for card in self.deck)))[5:]
                self.deck.remove(card)
                self.hands[seat].append(card)
            if self.options["reshuffle"] == "eager":
                self.reshuffle()

    def reshuffle(self) -> None:
        if not self.deck:
            self.deck, self.discards = self.discards, []

    def show(self, seat: int, cards: list[str]) -> None:
        for card in cards:
            self.hands[seat].remove(card)
            self.displays[seat].append(card)

    def clear(self, seat: int) -> None:
        self.discards += self.displays[seat]
        self.displays[seat] = []

    def get(self, seat: int, portion: int) -> None:
        self.grill.remove(portion)
        self.stacks[seat].append(portion)
        self.starter = seat

    def total(self, seat: int) -> int:
        return sum(5 if card[0] == "W" else int(card) for card in self.displays[seat])

    def tags(self, seat: int) -> list[int]:
        return [int(card[1:]) for card in self.displays[seat] if card[0] == "W"]
