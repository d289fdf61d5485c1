"""High Card: five cards each, hidden. In each round everybody lays one open, in turn, and the highest has a point."""

from itertools import islice
from random import Random
from typing import Any, NamedTuple

from pecking.game import CHANCE, Chance, Draw, Outcome, State, draws, whole

CARDS, HAND = 24, 5
LAYS = tuple(f"lay {card}" for card in range(CARDS))


class Fields(NamedTuple):
    hands: tuple[tuple[int, ...], ...]
    points: tuple[int, ...]
    dealt: int = 0
    table: tuple[int, ...] = ()  # laid in this round, from its leader on


class Position(Fields, State):
    __slots__ = ()

    @property
    def players(self) -> int:
        return len(self.hands)

    @property
    def dealing(self) -> bool:
        return self.dealt < self.players * HAND

    @property
    def actor(self) -> int:
        to_lay = (sum(self.points) + len(self.table)) % self.players
        return CHANCE if self.dealing or not any(self.hands) else to_lay

    @property
    def turn(self) -> int:
        return 0 if self.dealing else 1 + sum(self.points)

    def _left(self) -> int:
        return (1 << CARDS) - 1 - sum(1 << card for hand in self.hands for card in hand)

    def actions(self) -> tuple[str, ...]:
        if self.dealing:
            return draws(self._left())
        return tuple(LAYS[card] for card in self.hands[self.actor]) if any(self.hands) else ()

    def chance(self) -> Chance | None:
        number, seat = divmod(self.dealt, self.players)
        return Draw(f"hand/{seat}/{number}", CARDS, self._left()) if self.dealing else None

    def play(self, action: str) -> "Position":
        card, seat = int(action.split()[1]), self.dealt % self.players if self.dealing else self.actor
        hand = tuple(sorted({*self.hands[seat]} ^ {card}))
        hands = (*self.hands[:seat], hand, *self.hands[seat + 1 :])
        if self.dealing:
            return self._replace(hands=hands, dealt=self.dealt + 1)
        table = (*self.table, card)
        if len(table) < self.players:
            return self._replace(hands=hands, table=table)
        best = (sum(self.points) + table.index(max(table))) % self.players
        points = tuple(had + (one == best) for one, had in enumerate(self.points))
        return Position(hands, points, self.dealt)

    def view(self, seat: int | None) -> dict[str, Any]:
        hands = [list(hand) if seat in (None, owner) else None for owner, hand in enumerate(self.hands)]
        told = {"turn": self.turn, "hands": hands, "table": list(self.table), "points": list(self.points)}
        return whole("highcard/1", self, self, seat, **told)

    def seen(self, action: str, seat: int) -> str | None:
        return None if self.dealing and seat != self.dealt % self.players else action

    def resample(self, seat: int, rng: Random) -> "Position":
        hidden = sorted({*range(CARDS)} - {*self.hands[seat], *self.table})
        dealt = iter(rng.sample(hidden, sum(map(len, self.hands)) - len(self.hands[seat])))
        hands = [tuple(sorted(islice(dealt, len(hand) if one != seat else 0))) for one, hand in enumerate(self.hands)]
        return self._replace(hands=(*hands[:seat], self.hands[seat], *hands[seat + 1 :]))

    def outcome(self) -> Outcome | None:
        return None if self.actions() else Outcome.by_points(self.points, "hands_empty")
