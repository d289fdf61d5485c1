"""Vector environments for Gymnasium and PettingZoo: ``PeckingVector`` with one learning seat, ``PeckingEnvs`` with all.

Requires gymnasium and numpy. Both support the games that ``research.batch`` supports.
"""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeAlias

import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from games.catalogue import FIRST
from research.batch import BatchGames

Policy: TypeAlias = Callable[[Any, Any], Any]  # maps observations and masks to the numbers of actions, row by row


class PeckingVector(VectorEnv):
    """``num_envs`` tables at which the learner has ``seat``. ``opponents`` play all other seats; the default plays at
    random.

    When a game ends, the next one begins within the same step (``AutoresetMode.SAME_STEP``). Where
    ``info["_final_obs"]`` is true, ``info["final_obs"]`` is the learner's last observation, and ``info["final_info"]``
    has its points and place. The learner's masks are ``info["action_mask"]``. All returned arrays are copies.

    Raises:
        NoArrayRules and all that ``BatchGames`` raises; ValueError: there is no such seat.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        game: str = FIRST,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        num_envs: int = 1024,
        opponents: Policy | None = None,
        seat: int = 0,
    ) -> None:
        self.batch = BatchGames(game, players, options, num_envs)
        if seat not in range(self.batch.numbered.players):
            raise ValueError(f"seat {seat} does not exist: there are {self.batch.numbered.players}, from 0")
        self.num_envs, self.seat = num_envs, seat
        self._opponents = opponents or self._at_random
        self.single_action_space = Discrete(self.batch.masks.shape[1])
        self.single_observation_space = Box(-1.0, 1.0, self.batch.numbered.observation_shape, np.float32)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin all games, see ``BatchGames.reset``, and play up to the learner's first actions."""
        one = seed[0] if isinstance(seed, list) else seed
        if one is not None or self._np_random is None:
            super().reset(seed=one)
        self.batch.reset(one)
        self._begin_step()
        self._let_others_play()
        return self.batch.observations.copy(), {"action_mask": self.batch.masks.copy()}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Play the learner's actions, and the others' actions up to the learner's next ones.

        Raises:
            ValueError: an action is illegal. Nothing has changed.
        """
        batch = self.batch
        self._begin_step()
        batch.step(actions)
        self._note_ends()
        self._let_others_play()
        info: dict[str, Any] = {"action_mask": batch.masks.copy()}
        if self._ended.any():
            ends = {"points": batch.points[:, self.seat].copy(), "place": batch.places[:, self.seat].copy()}
            info |= {"final_obs": batch.last_observations[:, self.seat].copy(), "final_info": ends}
            info |= {"_final_obs": self._ended, "_final_info": self._ended}
        return batch.observations.copy(), self._rewards, self._ended, np.zeros_like(self._ended), info

    def _begin_step(self) -> None:
        self._ended = np.zeros(self.num_envs, bool)
        self._rewards = np.zeros(self.num_envs)

    def _note_ends(self) -> None:
        self._ended |= self.batch.over
        self._rewards += self.batch.rewards[:, self.seat]

    def _let_others_play(self) -> None:
        batch = self.batch
        while (others := np.flatnonzero(batch.actors != self.seat)).size:
            batch.step(self._opponents(batch.observations[others], batch.masks[others]), others)
            self._note_ends()

    def _at_random(self, observations: Any, masks: Any) -> Any:
        return (self.np_random.random(masks.shape) * masks).argmax(1)


class PeckingEnvs:
    """``num_envs`` tables of ``PeckingEnv``, stepped together. Values by agent are arrays with one item for each table.

    Each table has its own acting agent: ``agent_selection`` has, for each table, the index of its acting agent in
    ``possible_agents``. After the end of a game, ``rewards``, ``terminations`` and ``infos`` belong to that game, while
    the next game has already begun.

    Raises:
        NoArrayRules and all that ``BatchGames`` raises.
    """

    def __init__(
        self,
        game: str = FIRST,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        num_envs: int = 1024,
    ) -> None:
        self.batch = BatchGames(game, players, options, num_envs)
        self.num_envs = num_envs
        self.possible_agents = [f"seat_{seat}" for seat in range(self.batch.numbered.players)]

    def reset(self, seed: int | None = None) -> None:
        """Begin all games, see ``BatchGames.reset``."""
        self.batch.reset(seed)

    def step(self, actions: Any) -> None:
        """Play an action at each table.

        Raises:
            ValueError: an action is illegal. Nothing has changed.
        """
        self.batch.step(actions)

    @property
    def agent_selection(self) -> Any:
        """The index of the acting agent at each table."""
        return self.batch.actors

    def last(self) -> tuple[dict[str, Any], dict[str, Any], Any, Any, dict[str, dict[str, Any]]]:
        """Return five things: the observations of the acting agents; all rewards; at which tables a game has ended; at
        which a game was truncated (none); and all infos.
        """
        batch = self.batch
        seen = {"observation": batch.observations, "action_mask": batch.masks}
        return seen, self.rewards, batch.over, np.zeros_like(batch.over), self.infos

    @property
    def rewards(self) -> dict[str, Any]:
        """The rewards of each agent by table."""
        return dict(zip(self.possible_agents, self.batch.rewards.T, strict=True))

    @property
    def terminations(self) -> dict[str, Any]:
        """For each agent, at which tables its game has ended."""
        return dict.fromkeys(self.possible_agents, self.batch.over)

    @property
    def infos(self) -> dict[str, dict[str, Any]]:
        """For each agent, its points, places and last observations. They are valid where a game has ended."""
        batch = self.batch
        return {
            agent: {
                "points": batch.points[:, seat],
                "place": batch.places[:, seat],
                "final_observation": batch.last_observations[:, seat],
            }
            for seat, agent in enumerate(self.possible_agents)
        }
