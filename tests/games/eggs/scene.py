"""Step 4, the scene: how a vector of Best Egg sets up a position, plays on and is compared."""

from collections.abc import Mapping
from typing import Any

from games.state import State
from games.vectors.reading import Keys
from games.vectors.scene import Act, Fact, Scene
from tests.games.eggs.position import Position


class EggScene(Scene):
    def __init__(self, options: Mapping[str, Any], players: list[str], given: Keys) -> None:
        self._players = players
        hands = tuple(tuple(hand) for hand in given.take("hands"))
        dealt = options["hand"] * len(players)
        self.state: State = Position(len(players), options["hand"], hands, dealt, (), (0,) * len(players))

    def acts(self) -> Mapping[str, Act]:
        return {"lay": lambda action: self._play(f"lay {action.take('egg')}")}

    def facts(self) -> Mapping[str, Fact]:
        view, outcome = self.state.view(None), self.state.outcome()
        return {
            "points": lambda _: view["points"],
            "to_move": lambda _: None if view["actor"] < 0 else self._players[view["actor"]],
            "places": lambda _: outcome and list(outcome.places),
        }

    def _play(self, text: str) -> None:
        self.state = self.state.play(self.state.read(text))
