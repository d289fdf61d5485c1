"""Every game as a PettingZoo environment (AEC): ``PeckingEnv("karteneck", players=3)``. Requires pettingzoo.

An agent observes ``observation``, the floats of ``NumberedGame.observation``, and ``action_mask``. Rewards come at the
end: see ``NumberedGame.utilities``.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv

from games.catalogue import FIRST, ruleset_find_or_current
from games.numbered import NumberedGame
from games.table import Table
from research.house import HousePlayer
from research.seeding import Seeds, seeding_game_seed

# With a type instead of a dtype, frombuffer takes three times as long.
FLOATS: Final = np.dtype(np.float32)
BYTES: Final = np.dtype(np.int8)


class PeckingEnv(AECEnv):
    """A table of a game such as ``pickomino`` or ``heckmeck/1`` with ``players`` players, by default the fewest.

    ``numbered`` is the game in numbers, ``table`` the current game.

    Raises:
        UnknownRuleset, SeatError, OptionError: the game, its number of players or its options are invalid.
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "pecking_v1", "render_modes": [], "is_parallelizable": False}
    render_mode = None

    def __init__(self, game: str = FIRST, players: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        ruleset = ruleset_find_or_current(game)
        self.numbered = NumberedGame(ruleset, players or ruleset.seats.start, options)
        self.possible_agents = [f"seat_{seat}" for seat in range(self.numbered.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._names = dict(enumerate(self.numbered.names))
        actions = len(self.numbered.names)
        self._action_spaces = {agent: Discrete(actions) for agent in self.possible_agents}
        low, high = -1.0, 1.0
        self._observation_spaces = {
            agent: Dict(
                observation=Box(low, high, self.numbered.observation_shape, np.float32),
                action_mask=Box(0, 1, (actions,), np.int8),
            )
            for agent in self.possible_agents
        }
        self._seeds = Seeds()

    def observation_space(self, agent: str) -> Dict:
        """Return the space of an agent's observations."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """Return the space of all action numbers. The mask says which are legal."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game. Its seed follows from ``seed`` (see ``Seeds``), or is ``options["seed"]``: 16 bytes or their
        hexadecimal digits.
        """
        if seed is not None:
            self._seeds.begin(seed)
        given = (options or {}).get("seed")
        game = self.numbered
        own = seeding_game_seed(given) if given is not None else self._seeds.next()
        self.table = Table(game.ruleset, game.players, game.options, own)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[self.table.actor]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what ``agent`` sees, in new arrays. The mask is all zeros if another agent must act."""
        state, seat = self.table.state, self._seats[agent]
        mask = bytearray(self.numbered.mask_of(state.actions()) if state.actor == seat else len(self._names))
        seen = bytearray(self.numbered.observation(state, seat))
        return {"observation": np.frombuffer(seen, FLOATS), "action_mask": np.frombuffer(mask, BYTES)}

    def step(self, action: Any) -> None:
        """Play the action with this number.

        Raises:
            IllegalAction: the action is illegal. Nothing has changed.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        table = self.table
        table.play(self._names.get(action, f"number {action}"))
        outcome = table.outcome
        if outcome is None:
            self.agent_selection = self.possible_agents[table.actor]
            return
        self.rewards = dict(zip(self.agents, self.numbered.utilities(outcome), strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        for seat, agent in enumerate(self.agents):
            self.infos[agent] = {"points": outcome.points[seat], "place": outcome.places[seat]}
        self._accumulate_rewards()

    def asked(self, bot: HousePlayer) -> int:
        """Return the number of the action that a house bot plays for the acting agent."""
        return self.numbered.number[bot.act(self.table.view(self.table.actor))]

    def render(self) -> None:
        """Show nothing. ``peck watch`` shows a record."""

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
