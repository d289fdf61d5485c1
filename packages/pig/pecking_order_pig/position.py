"""Pig: roll as often as you dare. A 1 costs what the turn has won; holding keeps it; 50 points win at once."""

from typing import Any, NamedTuple

from pecking.game import CHANCE, Chance, Outcome, Roll, State, rolls, whole

GOAL, MOST_TURNS = 50, 100  # turns of a seat: two who never hold would play for ever


class Fields(NamedTuple):
    points: tuple[int, ...]
    rounds: int = 0
    seat: int = 0
    won: int = 0  # in this turn so far
    rolled: int = 0  # how often in this turn
    rolling: bool = False


class Position(Fields, State):
    __slots__ = ()

    @property
    def players(self) -> int:
        return len(self.points)

    @property
    def over(self) -> bool:
        return max(self.points) >= GOAL or self.rounds == MOST_TURNS

    @property
    def actor(self) -> int:
        return CHANCE if self.rolling or self.over else self.seat

    @property
    def turn(self) -> int:
        return 1 + self.rounds * self.players + self.seat

    def actions(self) -> tuple[str, ...]:
        return () if self.over else rolls() if self.rolling else ("roll", "hold")

    def chance(self) -> Chance | None:
        return Roll(f"{self.seat}/{self.rounds}/{self.rolled}") if self.rolling else None

    def play(self, action: str) -> "Position":
        if action == "hold":
            return self._next(self.won)
        if not self.rolling:
            return self._replace(rolling=True)
        die = int(action.split()[1])
        won = self.won + die if die > 1 else 0
        if not won or self.points[self.seat] + won >= GOAL:
            return self._next(won)
        return self._replace(won=won, rolled=self.rolled + 1, rolling=False)

    def _next(self, won: int) -> "Position":
        points = tuple(had + won * (seat == self.seat) for seat, had in enumerate(self.points))
        return Position(points, self.rounds + (self.seat + 1) // self.players, (self.seat + 1) % self.players)

    def view(self, seat: int | None) -> dict[str, Any]:
        return whole("pig/1", self, self, seat, turn=self.turn, points=list(self.points), won=self.won)

    def outcome(self) -> Outcome | None:
        reason = "goal" if max(self.points) >= GOAL else "turns"
        return Outcome.by_points(self.points, reason) if self.over else None
