"""Every game as a Python game of OpenSpiel: ``pyspiel.load_game("peck_karteneck(players=3)")``. Requires open_spiel.

Importing this module registers the current version of each game that has ``in_numbers``. Chance is explicit. The
parameter ``options`` is a JSON object of the game's options: ``load("pickomino", 2, {"steal": "mandatory"})``.
"""

import json
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, ClassVar

import numpy as np
import pyspiel

from games.catalogue import GAMES
from games.numbered import NumberedGame
from games.ruleset import Ruleset
from games.state import CHANCE
from research.history import Held


class PeckState(pyspiel.State):
    """A state of a game of this project; pyspiel.State documents its methods."""

    def __init__(self, game: "PeckGame") -> None:
        super().__init__(game)
        self.held = game.first

    def current_player(self) -> int:
        at = self.held.at
        if (actor := at.actor) != CHANCE:
            return actor
        return int(pyspiel.PlayerId.CHANCE if at.actions() else pyspiel.PlayerId.TERMINAL)

    def _legal_actions(self, player: int) -> list[int]:
        return self.held.game.legal(self.held.at)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [*self.held.at.chance_outcomes().pairs]

    def _apply_action(self, action: int) -> None:
        held = self.held
        game, at = held.game, held.at
        text = at.actions()[action] if at.actor == CHANCE else game.names[action]
        self.held = Held(game, at.play(text), (held, text))

    def _action_to_string(self, player: int, action: int) -> str:
        return self.held.at.actions()[action] if player == pyspiel.PlayerId.CHANCE else self.held.game.names[action]

    def is_terminal(self) -> bool:
        return not self.held.at.actions()

    def returns(self) -> list[float]:
        game, outcome = self.held.game, self.held.at.outcome()
        return [0.0] * game.players if outcome is None else [*game.utilities(outcome)]

    def information_state_string(self, player: int | None = None) -> str:
        player = self.current_player() if player is None else player
        return json.dumps([player, self.held.seen(player)])

    def observation_string(self, player: int | None = None) -> str:
        return json.dumps(self.held.at.view(self.current_player() if player is None else player))

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "PeckState":
        """Return a resampled state, see ``State.resample``. The histories of the other seats begin with their views of
        the resampled state. The ``history()`` of the result is that of the original state.
        """
        other: PeckState = self.clone()
        game, at = self.held.game, self.held.at.resample(player, Random(sampler()))
        known = [self.held.seen(seat) if seat == player else [at.view(seat)] for seat in range(game.players)]
        other.held = Held(game, at, None, tuple(known))
        return other

    def __str__(self) -> str:
        return json.dumps(self.held.at.view(None))


class PeckObserver:
    """Writes observations. ``dict`` has the parts of an observation by name, see ``NumberedGame.layout``."""

    def __init__(self, game: NumberedGame) -> None:
        self._game = game
        self.tensor = np.zeros(game.observation_shape, np.float32)
        self.dict = {name: self.tensor[part] for name, part in game.layout.items()}

    def set_from(self, state: PeckState, player: int) -> None:
        self._game.observe_into(state.held.at, player, self.tensor)

    def string_from(self, state: PeckState, player: int) -> str:
        return state.observation_string(player)


class PeckGame(pyspiel.Game):
    """A game with its players and options. Each ruleset has a subclass, because pyspiel registers classes."""

    ruleset: ClassVar[Ruleset]
    kind: ClassVar[pyspiel.GameType]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        ruleset, given = self.ruleset, dict(params or {})
        players, options = int(given.get("players", ruleset.seats.start)), json.loads(given.get("options") or "{}")
        self.numbered = game = NumberedGame(ruleset, players, options)
        self.first = Held(game, game.opening, None, tuple([] for _ in range(players)))
        least, most = game.utility_bounds
        info = pyspiel.GameInfo(
            num_distinct_actions=len(game.names),
            max_chance_outcomes=game.chance_ways,
            num_players=players,
            min_utility=least,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=game.longest,
        )
        super().__init__(self.kind, info, given)

    def new_initial_state(self) -> PeckState:
        return PeckState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> PeckObserver:
        return PeckObserver(self.numbered)


def load(game: str, players: int, options: Mapping[str, Any] | None = None) -> pyspiel.Game:
    """Return the game ``peck_<game>`` for ``players`` players."""
    return pyspiel.load_game(f"peck_{game}", {"players": players, "options": json.dumps(dict(options or {}))})


def _register(ruleset: Ruleset) -> None:
    kind = pyspiel.GameType(
        short_name=f"peck_{ruleset.name}",
        long_name=ruleset.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=ruleset.seats[-1],
        min_num_players=ruleset.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": ruleset.seats[0], "options": "{}"},
    )
    pyspiel.register_game(kind, type(f"{ruleset.name.title()}Game", (PeckGame,), {"ruleset": ruleset, "kind": kind}))


for _each in GAMES.values():
    if _each.current.in_numbers is not None:
        _register(_each.current)
