"""Step 1, the state: deal the eggs, then lay one after the other."""

from collections.abc import Hashable
from typing import Any, Final, NamedTuple

from games.chance import Chance, Draw
from games.state import CHANCE, Outcome, State
from games.view import whole

EGGS: Final = 24  # the number of an egg is its weight
LAYS: Final = tuple(f"lay {egg}" for egg in range(EGGS))


class Fields(NamedTuple):
    players: int
    hand: int  # eggs dealt to each
    hands: tuple[tuple[int, ...], ...]  # by seat, lightest first
    dealt: int
    nest: tuple[int, ...]  # laid in this round, from its leader on
    points: tuple[int, ...]


class Position(Fields, State):
    """One moment of a game of Best Egg."""

    __slots__ = ()

    @property
    def dealing(self) -> bool:
        return self.dealt < self.players * self.hand

    @property
    def leader(self) -> int:
        return sum(self.points) % self.players

    @property
    def actor(self) -> int:
        over = not any(self.hands)
        return CHANCE if self.dealing or over else (self.leader + len(self.nest)) % self.players

    @property
    def turn(self) -> int:
        return 0 if self.dealing else 1 + sum(self.points)

    def actions(self) -> tuple[str, ...]:
        if self.dealing:
            return tuple(f"draw {egg}" for egg in range(EGGS) if self._left() >> egg & 1)
        return tuple(LAYS[egg] for egg in self.hands[self.actor]) if any(self.hands) else ()

    def chance(self) -> Chance | None:
        """Each egg by its meaning: the luck of a seat is its own."""
        dealt, seat = divmod(self.dealt, self.players)
        return Draw(f"hand/{seat}/{dealt}", EGGS, self._left()) if self.dealing else None

    def play(self, action: str) -> "Position":
        egg = int(action.split()[1])
        if self.dealing:
            seat = self.dealt % self.players
            return self._replace(hands=self._with(seat, (*self.hands[seat], egg)), dealt=self.dealt + 1)
        seat, nest = self.actor, (*self.nest, egg)
        after = self._replace(hands=self._with(seat, tuple(one for one in self.hands[seat] if one != egg)), nest=nest)
        if len(nest) < self.players:
            return after
        best = (self.leader + nest.index(max(nest))) % self.players
        return after._replace(nest=(), points=tuple(had + (one == best) for one, had in enumerate(self.points)))

    def options(self) -> dict[str, int]:
        return {"hand": self.hand}

    def view(self, seat: int | None) -> dict[str, Any]:
        return whole(
            "eggs/1",
            self,
            self,
            seat,
            turn=self.turn,
            hands=[list(hand) if seat in (None, owner) else None for owner, hand in enumerate(self.hands)],
            nest=list(self.nest),
            points=list(self.points),
        )

    def seen(self, action: str, seat: int) -> str | None:
        """Only its receiver sees an egg being dealt."""
        return None if self.dealing and seat != self.dealt % self.players else action

    def outcome(self) -> Outcome | None:
        if self.actions():
            return None
        places = tuple(1 + sum(other > own for other in self.points) for own in self.points)
        return Outcome(self.points, places, "hands_empty", "")

    def facts(self) -> tuple[Hashable, ...]:
        return tuple(self)

    def _left(self) -> int:
        """The eggs not yet dealt, as a bit mask."""
        return (1 << EGGS) - 1 - sum(1 << egg for hand in self.hands for egg in hand)

    def _with(self, seat: int, hand: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
        return (*self.hands[:seat], tuple(sorted(hand)), *self.hands[seat + 1 :])
