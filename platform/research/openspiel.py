"""Every game as a Python game of OpenSpiel: ``pyspiel.load_game("peck_karteneck(players=3)")``. Needs open_spiel.

Importing this module registers the current version of each that has ``in_numbers``. Chance is explicit. The
parameter ``options`` is a JSON object of the game's options: ``load("pickomino", 2, {"steal": "mandatory"})``.

House bots as bots of OpenSpiel, for ``pyspiel.evaluate_bots`` and what else takes bots. Needs open_spiel.

A state with the way that led to it, for what each seat has seen.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, ClassVar

import numpy as np
import pyspiel

from games.catalogue import GAMES, find
from games.numbered import NumberedGame
from games.ruleset import Ruleset
from games.state import CHANCE, State
from research.house import HousePlayer


class PeckState(pyspiel.State):
    """A state of one of our games; see pyspiel.State for what its methods return."""

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
        """Return a resampled state, see ``State.resample``. What other seats know in it begins with what they see; its
        ``history()`` is that of the true one.
        """
        other: PeckState = self.clone()
        game, at = self.held.game, self.held.at.resample(player, Random(sampler()))
        known = [self.held.seen(seat) if seat == player else [at.view(seat)] for seat in range(game.players)]
        other.held = Held(game, at, None, tuple(known))
        return other

    def __str__(self) -> str:
        return json.dumps(self.held.at.view(None))


class PeckObserver:
    """Writes observations; ``dict`` has their parts by name, see ``NumberedGame.layout``."""

    def __init__(self, game: NumberedGame) -> None:
        self._game = game
        self.tensor = np.zeros(game.observation_shape, np.float32)
        self.dict = {name: self.tensor[part] for name, part in game.layout.items()}

    def set_from(self, state: PeckState, player: int) -> None:
        self._game.observe_into(state.held.at, player, self.tensor)

    def string_from(self, state: PeckState, player: int) -> str:
        return state.observation_string(player)


class PeckGame(pyspiel.Game):
    """One of our games with its players and options; each has a class of its own, as pyspiel keeps that for ever."""

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
    """Return the game ``peck_<game>`` for so many players."""
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


class SpielHouseBot(pyspiel.Bot):
    """The house bot ``name``, such as ``wise-owl``, as ``player`` of ``game``; its chance follows from ``seed``.

    Raises:
        LookupError: the game has no house bot of that name.
    """

    def __init__(self, game: PeckGame, player: int, name: str, seed: int = 0) -> None:
        super().__init__()
        self._number = game.numbered.number
        self._player = player
        self._bot = HousePlayer(game.ruleset.name, name)
        self._seed = f"{seed} {player}".encode()
        self.restart()

    def restart(self) -> None:
        self._bot.begin(self._seed)

    def restart_at(self, state: PeckState) -> None:
        self.restart()

    def step(self, state: PeckState) -> int:
        return self._number[self._bot.act(state.held.at.view(self._player))]


class Held:
    """A state of a game. None of it changes, so a copy is the very same; pickled it is the actions alone.

    ``past`` is what was held before and the action since then. It begins where ``known``, what each seat had seen by
    then, is given.
    """

    __slots__ = ("at", "game", "known", "past")

    def __init__(
        self, game: NumberedGame, at: State, past: "tuple[Held, str] | None", known: tuple[list[Any], ...] = ()
    ) -> None:
        self.game = game
        self.at = at
        self.past = past
        self.known = known

    def __deepcopy__(self, memo: Any) -> "Held":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        steps = [*self.steps()]
        first, game = steps[-1][0] if steps else self, self.game
        actions = [action for _, action in reversed(steps)]
        return _held, (game.ruleset.id, game.players, game.options, first.at.facts(), first.known, actions)

    def steps(self) -> "Iterator[tuple[Held, str]]":
        """Yield what was held before each action with that action, the last one first."""
        past = self.past
        while past is not None:
            yield past
            past = past[0].past

    def seen(self, seat: int) -> list[Any]:
        """Return what ``seat`` has seen: each action, None for what it could not see."""
        first, seen = self, []
        for first, action in self.steps():
            seen.append(first.at.seen(action, seat))
        return [*first.known[seat], *reversed(seen)]


def _held(
    ruleset: str, players: int, options: Mapping[str, Any], facts: Any, known: tuple[list[Any], ...], actions: list[str]
) -> Held:
    """Return what was pickled."""
    game = NumberedGame(find(ruleset), players, options)
    held = Held(game, game.from_facts(facts), None, known)
    for action in actions:
        held = Held(game, held.at.play(action), (held, action))
    return held
